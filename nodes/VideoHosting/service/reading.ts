import type { IDataObject } from 'n8n-workflow';

import type { RecordKind } from '../shared/assumptions';
import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { rejectsValue, saysEmptyList, saysNoPageZero, saysNoSuchPage } from '../transport/errorMeaning';
import { requestWithRetry } from '../transport/request';
import { unreadableResponseError } from '../transport/requestError';
import { listIn, type ListPart } from '../transport/response';
import type { ServiceError } from '../transport/serviceError';
import type { ServiceRequest } from '../transport/serviceRequest';
import type { Listed, ServiceRecord } from './record';

/** The part of a query that says how a list is sorted and cut into pages. */
export type Order = IDataObject;

/** A list of the service: how its pages are requested, and how its records are read. */
export interface ServiceList<Item extends Listed> {
	readonly kind: RecordKind;
	readonly request: (page: number, order: Order) => ServiceRequest;
	/** Reads one record. */
	readonly toItem: (record: ServiceRecord) => Item;
	/** The wanted order and page size, then others, in which a list with holes is read again. */
	readonly orders: readonly Order[];
	/**
	 * How many of the others may replace the wanted one when the service rejects it, for example with `quantity must be at most 50`: it
	 * documents neither page sizes nor sort directions.
	 */
	readonly substitutes?: number;
	/** The number of the first page; 1 and 0 where it is not known. */
	readonly firstPages: readonly number[];
	/** Whether the first page is the only one, unless it says that there are more records. */
	readonly isOnePage?: boolean;
}

/** One response of a list with its records read, each once. */
export interface Page<Item> extends Pick<ListPart, 'total' | 'pages' | 'hasMore'> {
	kind: 'page';
	number: number;
	items: Item[];
	request: ServiceRequest;
}

/** The service has no page of the next number, or shows none: the error tells. */
export interface NoPage {
	kind: 'no page';
	error: ServiceError;
}

/** A service may make up a page for each number. */
const MOST_PAGES = 10_000;

/**
 * Reads a list page by page, from its first page to the one that the service rejects.
 *
 * @param orders the wanted one, then those to try when the service rejects it with page 1
 * @returns no page at all for an empty list
 * @throws ServiceError when a page cannot be read, and after {@link MOST_PAGES}
 */
export async function* pagesInOrder<Item extends Listed>(
	context: ServiceContext,
	list: ServiceList<Item>,
	orders: readonly Order[],
): AsyncGenerator<Page<Item> | NoPage, void, undefined> {
	const [order = {}, ...others] = orders;
	const read = async (number: number, saysNone = saysNoSuchPage) =>
		await readPage(context, list, number, order).catch((error: unknown): NoPage => {
			if (!saysNone(error)) throw error;
			return { kind: 'no page', error };
		});
	const [first = 1, other] = list.firstPages;
	let answer = await read(first);
	if (answer.kind === 'no page' && others.length > 0 && rejectsValue(answer.error)) {
		yield* pagesInOrder(context, list, others);
		return;
	}
	// A list that counts from 0 may have no page 1.
	if (other !== undefined)
		answer = (await pageZero(context, async () => await read(other, saysNoPageZero), answer)) ?? answer;
	if (answer.kind === 'no page') {
		// An empty list may come as a 404 of the service such as `No events found`.
		if (saysEmptyList(answer.error)) return;
		throw answer.error;
	}
	while (answer.kind === 'page') {
		if (answer.items.length > 0 && answer.number > MOST_PAGES) {
			const endless = `The service returned more than 10,000 pages of ${list.kind}s.`;
			throw unreadableResponseError(context, answer.request, endless);
		}
		yield answer;
		answer = await read(answer.number + 1);
	}
	yield answer;
}

/** Whether pages of events may count from 0: of 50 items that look up a title in 50 plans, the first asks a service for page 0 that has none. */
const pageZeroOfRun = perRun(() => ({ mayExist: true }));

/**
 * Page 0 of a list, if that is a page: not empty, and not the same as page 1.
 *
 * @param one page 1, which may be beyond the last one
 * @throws ServiceError when page 0 fails, unless that shows that pages count from 1
 */
async function pageZero<Item extends Listed>(
	context: ServiceContext,
	readZero: () => Promise<Page<Item> | NoPage>,
	one: Page<Item> | NoPage,
): Promise<Page<Item> | undefined> {
	const knowledge = pageZeroOfRun(context);
	if (!knowledge.mayExist) return undefined;
	const answer = await readZero();
	const zero = answer.kind === 'page' ? answer : undefined;
	if (one.kind === 'no page') return zero;
	const first = zero?.items[0];
	// Of an empty plan, neither page shows where the pages of others begin.
	if (!first && one.items.length > 0) knowledge.mayExist = false;
	// A page 0 that begins like page 1 may be the only page of a list that counts from 0: nothing is known of other lists.
	return first && first.identity !== one.items[0]?.identity ? zero : undefined;
}

/** @throws ServiceError when the request fails or the response contains no list */
async function readPage<Item extends Listed>(
	context: ServiceContext,
	{ kind, request: requestOf, toItem }: ServiceList<Item>,
	number: number,
	order: Order,
): Promise<Page<Item>> {
	const request = requestOf(number, order);
	const { statusCode, body } = await requestWithRetry(context, request);
	const list = listIn(statusCode, body, kind);
	if (list) {
		const items = new Map(list.records.map(toItem).map((item) => [item.identity, item]));
		return { kind: 'page', ...list, items: [...items.values()], number, request };
	}
	const got = body === '' ? 'an empty body' : 'something else';
	const missing = `The service returned ${got} instead of a list of ${kind}s.`;
	throw unreadableResponseError(context, request, missing);
}
