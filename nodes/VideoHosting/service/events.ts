import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from './credential';
import { PAGE_SIZE, readList } from './paging';
import { identityOf, extractRecord } from './responseParsing';
import { path, requestJson } from './request';

/**
 * The query of docs/api-reference.md#search-all-events; `orderBy` and `orderType` default to the documented examples.
 */
export interface EventListQuery {
	planId: string;
	orderBy?: string;
	orderType?: string;
	/** Records per page; the service may give fewer. */
	quantity?: number;
	itemIndex?: number;
}

/** How many times more records a service that ignores the page number is asked for at once. */
const GROWTH = 10;

/**
 * A reader of one page after the other of a plan's events (docs/api-reference.md#search-all-events). The records
 * carry the plan secret. Pages count from 1, as those of the videos do (docs/api-reference.md#list-videos). A full
 * page that is the same as page 1 comes of a service that ignores the page number: there only a larger page brings
 * the rest, so the same is asked for with a larger `quantity`.
 *
 * @throws NodeApiError as {@link readList}
 */
export function eventPages(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE, itemIndex }: EventListQuery,
): (page: number) => Promise<IDataObject[]> {
	const read = async (page: number, size: number) =>
		await readList(
			context,
			{
				method: 'GET',
				path: path('events', 'searchAll'),
				query: { planId, actualPage: page, quantity: size, orderBy, orderType },
				itemIndex,
			},
			'events',
			page,
		);
	let size = quantity;
	let firstPage = '';
	return async (page) => {
		let records = await read(page, size);
		if (page > 1 && records.length === size && identitiesOf(records) === firstPage) {
			size *= GROWTH;
			records = await read(page, size);
			firstPage = identitiesOf(records);
		}
		if (page === 1) firstPage = identitiesOf(records);
		return records;
	};
}

function identitiesOf(records: IDataObject[]): string {
	return records.map(identityOf).join();
}

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash), without the wrapping that an answer may
 * have. What is no record comes back as it is.
 *
 * @throws NodeApiError when the service refuses
 */
export async function eventByHash(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex?: number,
): Promise<unknown> {
	const answer = await requestJson(context, {
		method: 'GET',
		path: path('events', 'searchByHash'),
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return extractRecord(answer, 'event');
}
