import type { IDataObject } from 'n8n-workflow';

import { serviceCredential, type ServiceContext } from '../transport/credential';
import { hasStatus, toNodeError } from '../transport/errors';
import { eventPagingAt, pageSizesToTry, rememberPageSize, type EventPaging } from './eventPaging';
import { PAGE_SIZE, readList } from './paging';
import { identityOf } from './recordFields';
import { extractRecord } from './responseParsing';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';

/**
 * The query of docs/api-reference.md#search-all-events; `orderBy` and `orderType` default to the documented examples.
 */
export interface EventListQuery {
	planId: string;
	orderBy?: string;
	orderType?: string;
	/** Records per page; the service may return fewer. */
	quantity?: number;
	itemIndex?: number;
}

/** How many times more records are requested at once from a service that ignores the page number. */
const GROWTH = 10;

/**
 * Responses to page 0 by which a service shows that it has none; a negative offset fails in many databases. 502 to 504 are
 * about the moment, not about the page.
 */
const NO_SUCH_PAGE = /^(200|400|404|416|422|500)$/;

/**
 * A reader of one page after the other of a plan's events (docs/api-reference.md#search-all-events): page 1 is the first
 * one, whatever its number is at the service. The records contain the plan secret.
 *
 * - The number of the first page is not documented. Unless it is known for this service, page 0 is read once after page 1:
 *   if it has records that page 1 does not have, pages are numbered from 0. The result is remembered only if no other reading of
 *   the responses is possible.
 * - A page size that is rejected with 400 or 422 is made smaller; see {@link pageSizesToTry}.
 * - A full page that is the same as page 1 comes from a service that ignores the page number: only a larger page
 *   contains the rest, so it is requested with a larger `quantity`.
 *
 * @throws NodeApiError as {@link readList}; the first one when all page sizes are rejected
 */
export function eventPages(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE, itemIndex }: EventListQuery,
): (page: number) => Promise<IDataObject[]> {
	const requestOf = (number: number, size: number): ServiceRequest => ({
		method: 'GET',
		path: path('events', 'searchAll'),
		query: { planId, actualPage: number, quantity: size, orderBy, orderType },
		itemIndex,
	});
	let size: number | undefined;
	let firstNumber: 0 | 1 | undefined;
	let firstPage = '';
	/** Page 1 is the first one as far as can be seen; another page may prove it. */
	let provesFirstNumber: ((records: IDataObject[]) => boolean) | undefined;
	/** Pages that were read to find the first one. */
	const readAhead = new Map<number, IDataObject[]>();

	const readFirst = async (number: number, paging: EventPaging): Promise<IDataObject[]> => {
		const rejections: unknown[] = [];
		const sizes = size === undefined ? pageSizesToTry(paging, quantity) : [size];
		for (const [index, tried] of sizes.entries()) {
			try {
				const records = await readList(context, requestOf(number, tried), 'events');
				rememberPageSize(paging, tried, sizes.slice(0, index));
				size = tried;
				return records;
			} catch (error) {
				if (!hasStatus(error, /^(400|422)$/)) throw toNodeError(context, error);
				rejections.push(error);
			}
		}
		throw toNodeError(context, rejections[0]);
	};

	const readPageZero = async (pageSize: number): Promise<IDataObject[] | 'failed'> => {
		try {
			return await readList(context, requestOf(0, pageSize), 'events', 2);
		} catch (error) {
			if (hasStatus(error, NO_SUCH_PAGE)) return 'failed';
			throw toNodeError(context, error);
		}
	};

	const findFirstNumber = async (paging: EventPaging): Promise<0 | 1> => {
		const one = await readFirst(1, paging);
		const zero = await readPageZero(size ?? quantity);
		if (zero !== 'failed' && mostAreMissing(zero, one)) {
			paging.firstNumber = 0;
			readAhead.set(1, zero).set(2, one);
			return 0;
		}
		readAhead.set(1, one);
		const isSame = zero !== 'failed' && zero.length > 0;
		if (zero !== 'failed' && !isSame && one.length > 0) paging.firstNumber = 1;
		// The same as page 1: a service that reads 0 as 1, or counts from 0 and repeats its only page. A failure: the service
		// has no page 0, or is out of order.
		else provesFirstNumber = (next) => (isSame ? mostAreMissing(next, one) : one.length > 0);
		return 1;
	};

	const read = async (page: number): Promise<IDataObject[]> => {
		const paging = eventPagingAt((await serviceCredential(context)).baseUrl);
		firstNumber ??= paging.firstNumber ?? (await findFirstNumber(paging));
		const ahead = readAhead.get(page);
		if (ahead) {
			readAhead.delete(page);
			return ahead;
		}
		const number = page - 1 + firstNumber;
		if (page === 1) return await readFirst(number, paging);
		size ??= pageSizesToTry(paging, quantity)[0] ?? quantity;
		const records = await readList(context, requestOf(number, size), 'events', page);
		if (firstNumber === 1 && page === 2 && provesFirstNumber?.(records)) paging.firstNumber = 1;
		return records;
	};

	return async (page) => {
		let records = await read(page);
		if (page > 1 && size !== undefined && records.length === size && identitiesOf(records) === firstPage) {
			size *= GROWTH;
			records = await read(page);
			firstPage = identitiesOf(records);
		}
		if (page === 1) firstPage = identitiesOf(records);
		return records;
	};
}

/** Whether most of the records are not on another page. A few may have moved between two requests. */
function mostAreMissing(records: IDataObject[], page: IDataObject[]): boolean {
	const onPage = new Set(page.map(identityOf));
	const missing = records.filter((record) => !onPage.has(identityOf(record)));
	return missing.length * 2 > records.length;
}

function identitiesOf(records: IDataObject[]): string {
	return records.map(identityOf).join();
}

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash), without the wrapping that a response may
 * have. Anything else is returned as it is.
 *
 * @throws NodeApiError when the request fails
 */
export async function eventByHash(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex?: number,
): Promise<unknown> {
	const response = await requestJson(context, {
		method: 'GET',
		path: path('events', 'searchByHash'),
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return extractRecord(response, 'event');
}
