import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { hasStatus, isServiceError } from '../transport/errors';
import { path } from '../transport/request';
import { NO_SUCH_PAGE } from '../transport/response';
import { toEvent, type Event } from './event';
import { PAGE_SIZE, pagesOf, readPage, type Page, type PageReader, type Pages } from './paging';

/** The query of docs/api-reference.md#search-all-events. */
interface EventListQuery {
	planId: string;
	orderBy?: string;
	orderType?: string;
	/** Records per page; the service may return fewer. */
	quantity?: number;
}

/** For a service that rejects another size; its bounds are not documented (docs/api-reference.md#limits). */
const SMALL_PAGE = 50;

/** The reference does not show whether pages count from 0 or 1. */
const pageZeroOfRun = perRun(() => ({ mayExist: true }));

/**
 * Reads page 0, if there is one, together with page 1.
 *
 * @param isLookUp whether the order does not matter: page 0 is read only when page 1 is not enough
 */
function eventReader(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE }: EventListQuery,
	isLookUp = false,
): PageReader<Event> {
	const pageZero = pageZeroOfRun(context);
	let hasOwnZero = false;
	/** Of page 1, where page 0 is read later. */
	let first: Event | undefined;
	const read = async (actualPage: number, size = quantity): Promise<Page<Event>> => {
		const query = { planId, actualPage, quantity: size, orderBy, orderType };
		const request = { method: 'GET', path: path('events', 'searchAll'), query } as const;
		return await readPage(context, request, 'event', toEvent);
	};
	const readZero = async () => {
		if (!pageZero.mayExist) return undefined;
		return await read(0).catch(async (error: unknown) => {
			if (isServiceError(error, NO_SUCH_PAGE) || (await countsFromOne(error, read))) return undefined;
			throw error;
		});
	};
	return async (page) => {
		if (isLookUp && page === 1) {
			const one = await read(1).catch(async (error: unknown) => {
				const zero = isServiceError(error, NO_SUCH_PAGE) ? await readZero() : undefined;
				if (!zero) throw error;
				return zero;
			});
			first = one.items[0];
			return first ? one : ((await readZero()) ?? one);
		}
		const isWithZero = page === (isLookUp ? 2 : 1);
		const zero = isWithZero ? await readZero() : undefined;
		const next = await read(page).catch((error: unknown) => {
			if (zero && isServiceError(error, NO_SUCH_PAGE)) return { ...zero, items: [] };
			throw error;
		});
		const items = zero?.items ?? [];
		// A service that counts from 1 may answer page 0 with page 1, or with more of the list.
		const isRepeated = items[0]?.identity === (first ?? next.items[0])?.identity;
		const before = isRepeated ? [] : items;
		if (isWithZero) {
			hasOwnZero = before.length > 0;
			// A page 0 that repeats the next page may be the only page of a list that is counted from 0.
			if (items.length === 0 && next.items.length > 0) pageZero.mayExist = false;
		}
		// A page 0 is read together with another one.
		const pages = next.pages && next.pages - Number(hasOwnZero);
		return { ...next, pages, items: [...before, ...next.items] };
	};
}

/**
 * Whether the pages count from 1, and page 0 failed for that reason: then a page 1 of one event and one of two begin with the same event,
 * or page 1 is the whole list. A service that ignores the page size, and does not say how many events there are, does not show it.
 *
 * @param error with which page 0 failed
 */
async function countsFromOne(
	error: unknown,
	read: (page: number, quantity: number) => Promise<Page<Event>>,
): Promise<boolean> {
	// A rate limit, or the code of a network error: no response.
	if (hasStatus(error, /^(429$|[A-Z])/)) return false;
	const [{ items: one, total }, { items: two }] = [await read(1, 1), await read(1, 2)];
	return one.length === total || (one.length === 1 && one[0]?.identity === two[0]?.identity);
}

/**
 * A plan's events page by page, in the requested order; each contains the plan secret.
 *
 * @throws NodeApiError when a page cannot be read
 */
export function eventPages(
	context: ServiceContext,
	planId: string,
	{ quantity = PAGE_SIZE, ...order }: Partial<EventListQuery> = {},
): Pages<Event> {
	const sizes = new Set([quantity, SMALL_PAGE]);
	const readers = [...sizes].map((size) => eventReader(context, { planId, quantity: size, ...order }));
	return pagesOf(context, 'event', readers);
}

/** A plan's events with the latest scheduled ones first, if the service supports that. */
export function latestEventPages(context: ServiceContext, planId: string, isLookUp = false): Pages<Event> {
	const small = { planId, quantity: SMALL_PAGE };
	const queries = [{ planId, orderType: 'DESC' }, { ...small, orderType: 'DESC' }, small];
	return pagesOf(
		context,
		'event',
		queries.map((query) => eventReader(context, query, isLookUp)),
	);
}
