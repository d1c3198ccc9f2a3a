import type { ServiceContext } from '../transport/credential';
import { path } from '../transport/request';
import { toEvent, type Event } from './event';
import { PAGE_SIZE, pagesOf, type Pages } from './paging';
import type { Order, ServiceList } from './reading';

/** How events are sorted and cut into pages (docs/api-reference.md#search-all-events). */
interface EventOrder extends Order {
	orderBy: string;
	orderType: string;
	/** Records per page; the service may return fewer. */
	quantity: number;
}

/** For a service that rejects another size; its bounds are not documented (docs/api-reference.md#limits). */
const SMALL_PAGE = 50;

/**
 * @param orders the wanted one, then those to try when the service rejects it
 */
function eventList(planId: string, ...orders: [EventOrder, ...EventOrder[]]): ServiceList<Event> {
	const [{ orderBy, orderType }] = orders;
	const opposite = /^desc/i.test(orderType) ? 'ASC' : 'DESC';
	const otherOrders = [
		{ quantity: SMALL_PAGE, orderBy, orderType: opposite },
		{ quantity: SMALL_PAGE, orderBy, orderType },
		{ quantity: PAGE_SIZE, orderBy, orderType: opposite },
		{ quantity: SMALL_PAGE / 2, orderBy, orderType },
	];
	return {
		kind: 'event',
		request: (actualPage, order) => ({
			method: 'GET',
			path: path('events', 'searchAll'),
			query: { planId, actualPage, ...order },
		}),
		toItem: toEvent,
		orders,
		otherOrders,
	};
}

/**
 * A plan's events page by page, in the requested order; each contains the plan secret.
 *
 * @throws NodeApiError when a page cannot be read
 */
export function eventPages(
	context: ServiceContext,
	planId: string,
	{ quantity = PAGE_SIZE, orderBy = 'date', orderType = 'ASC' }: Partial<EventOrder> = {},
): Pages<Event> {
	const order = { quantity, orderBy, orderType };
	const others = quantity === SMALL_PAGE ? [] : [{ ...order, quantity: SMALL_PAGE }];
	return pagesOf(context, eventList(planId, order, ...others));
}

/** A plan's events with the latest scheduled ones first, if the service supports that. */
export function latestEventPages(context: ServiceContext, planId: string): Pages<Event> {
	const latest = { quantity: PAGE_SIZE, orderBy: 'date', orderType: 'DESC' };
	const small = { ...latest, quantity: SMALL_PAGE };
	return pagesOf(context, eventList(planId, latest, small, { ...small, orderType: 'ASC' }));
}
