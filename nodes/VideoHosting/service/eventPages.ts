import type { ServiceContext } from '../transport/credential';
import { path } from '../transport/request';
import { toEvent, type Event } from './event';
import { PAGE_SIZE, pagesOf, type Pages } from './paging';
import type { Order } from './reading';

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
 * A plan's events page by page, in the requested order; each contains the plan secret.
 *
 * @param substitutes 1 for smaller pages, 2 also for the other direction, when the service rejects the request
 * @throws NodeApiError when a page cannot be read
 */
export function eventPages(
	context: ServiceContext,
	planId: string,
	{ quantity = PAGE_SIZE, orderBy = 'date', orderType = 'ASC' }: Partial<EventOrder> = {},
	substitutes = 1,
): Pages<Event> {
	const opposite = /^desc/i.test(orderType) ? 'ASC' : 'DESC';
	return pagesOf(context, {
		kind: 'event',
		request: (actualPage, order) => ({
			method: 'GET',
			path: path('events', 'searchAll'),
			query: { planId, actualPage, ...order },
		}),
		toItem: toEvent,
		orders: [
			{ quantity, orderBy, orderType },
			{ quantity: SMALL_PAGE, orderBy, orderType },
			{ quantity: SMALL_PAGE, orderBy, orderType: opposite },
			{ quantity: PAGE_SIZE, orderBy, orderType: opposite },
			{ quantity: SMALL_PAGE / 2, orderBy, orderType },
		],
		substitutes,
	});
}

/** A plan's events with the latest scheduled ones first, if the service supports that. */
export function latestEventPages(context: ServiceContext, planId: string): Pages<Event> {
	return eventPages(context, planId, { orderType: 'DESC' }, 2);
}
