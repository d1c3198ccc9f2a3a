// For the rooms trigger and upload until they use service/paging.ts; see lists.ts.
import type { IDataObject } from 'n8n-workflow';

import { perRun } from '../../shared/perRun';
import type { ServiceContext } from '../../transport/credential';
import { hasStatus, toNodeError } from '../../transport/errors';
import { path } from '../../transport/request';
import { PAGE_SIZE, readList, readPageOrEnd, readUnlessRefused, type PageReader } from './paging';
import { identityOf } from '../recordFields';

/**
 * The query of docs/api-reference.md#search-all-events; `orderBy` and `orderType` default to the documented examples.
 */
export interface EventListQuery {
	planId: string;
	orderBy?: string;
	orderType?: string;
	/** Records per page; the service may return fewer. */
	quantity?: number;
}

/** What one run has learned about the event pages of its service; all plans are paged alike. */
interface EventPaging {
	/** The number of the first page, once a response has shown it beyond doubt. */
	firstNumber?: 0 | 1;
	/** The page size that the service accepted after it had rejected a larger one, in records. */
	largestSize: number;
}

const pagingOfRun = perRun((): EventPaging => ({ largestSize: Infinity }));

/** Page sizes to fall back to; bounds are not documented (docs/api-reference.md#limits). */
const SMALLER_SIZES = [50, 20, 10];

/** How many times more records are requested at once from a service that ignores the page number. */
const GROWTH = 10;

/**
 * A reader of one page after the other of a plan's events (docs/api-reference.md#search-all-events): page 1 is the first
 * one, whatever its number is at the service. The records contain the plan secret.
 *
 * - The number of the first page is not documented. Unless it is known in this run, page 1 is read in two sizes: only the
 *   first page begins with the same record in both. Where that shows nothing, page 0 is read: if it has records that page 1
 *   does not have, pages are numbered from 0.
 * - A page size that is rejected with 400 or 422 is made smaller.
 * - A full page that is the same as page 1 is the last one again, or comes from a service that ignores the page number. Half a
 *   page shows which; in the second case only a larger page contains the rest.
 *
 * @throws NodeApiError as {@link readList}; the first one when all page sizes are rejected
 */
export function eventPages(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE }: EventListQuery,
): PageReader {
	const paging = pagingOfRun(context);
	let size: number | undefined;
	let firstNumber: 0 | 1 | undefined;
	/** The identities of its records. */
	let firstPage: string[] | undefined;
	let isWhole = false;
	/** Pages that were read to find the first one. */
	const readAhead = new Map<number, IDataObject[]>();

	const request = async (number: number, pageSize: number, page: number): Promise<IDataObject[]> => {
		const query = { planId, actualPage: number, quantity: pageSize, orderBy, orderType };
		const serviceRequest = { method: 'GET', path: path('events', 'searchAll'), query } as const;
		return (await readList(context, serviceRequest, 'events', page)).list;
	};

	const readFirst = async (number: number): Promise<IDataObject[]> => {
		const wanted = size ?? Math.min(quantity, paging.largestSize);
		const smaller = SMALLER_SIZES.filter((each) => size === undefined && each < wanted);
		let rejection: unknown;
		for (const tried of [wanted, ...smaller]) {
			try {
				const records = await request(number, tried, 1);
				if (rejection !== undefined) paging.largestSize = tried;
				size = tried;
				return records;
			} catch (error) {
				if (!hasStatus(error, /^(400|422)$/)) throw toNodeError(context, error);
				rejection ??= error;
			}
		}
		throw toNodeError(context, rejection);
	};

	const findFirstNumber = async (): Promise<0 | 1> => {
		const one = await readFirst(1);
		readAhead.set(1, one);
		const otherSize = size === 1 ? 2 : 1;
		const other = await request(1, otherSize, 1).catch((error: unknown) => {
			if (!hasStatus(error, /^(400|422)$/)) throw error;
			return one;
		});
		const isSameStart = firstOf(other) === firstOf(one);
		if (isSameStart && other.length !== one.length) return (paging.firstNumber = 1);
		const readZero = async () => await request(0, size ?? quantity, 2);
		const hasOne = async () => (await readFirst(1)).length > 0 || one.length === 0;
		const zero = await readUnlessRefused(readZero, hasOne).catch((error: unknown) => {
			// So a negative offset fails in many databases. No more than one event can be on a page 0 that there is.
			if (hasStatus(error, /^500$/) && isSameStart && other.length <= otherSize) return undefined;
			throw error;
		});
		if (!zero || !mostAreMissing(zero, one)) return 1;
		readAhead.set(1, zero);
		// An empty one may have been refused as the first page, which is believed; as the second it has to be confirmed.
		if (one.length > 0) readAhead.set(2, one);
		return (paging.firstNumber = 0);
	};

	const read: PageReader = async (page) => {
		firstNumber ??= paging.firstNumber ?? (await findFirstNumber());
		const ahead = readAhead.get(page);
		readAhead.delete(page);
		if (ahead) return ahead;
		const number = page - 1 + firstNumber;
		return page === 1 ? await readFirst(number) : await request(number, size ?? quantity, page);
	};

	/** What follows on a larger page: ten times as many records as the page before. */
	const readLarger = async (number: number, page: number, firstSize: number): Promise<IDataObject[]> => {
		const sizeBefore = firstSize * GROWTH ** (page - 2);
		const records = await request(number, sizeBefore * GROWTH, page);
		isWhole = records.length < sizeBefore * GROWTH;
		return records.length < sizeBefore ? [] : records;
	};

	return async (page) => {
		if (page === 1) {
			const records = await read(1);
			firstPage = records.map(identityOf);
			return records;
		}
		firstPage ??= (await read(1)).map(identityOf);
		if (isWhole) return [];
		const records = await readPageOrEnd(read, page);
		const identities = records.map(identityOf);
		if (size === undefined || records.length !== size || identities.join() !== firstPage.join())
			return records;
		const number = page - 1 + (firstNumber ?? 1);
		const half = await request(number, Math.ceil(size / 2), page);
		if (half.some((record, index) => identityOf(record) !== identities[index])) return [];
		return await readLarger(number, page, size);
	};
}

function firstOf(records: IDataObject[]): string {
	return records.slice(0, 1).map(identityOf).join();
}

/** Whether most of the records are not on another page. A few may have moved between two requests. */
function mostAreMissing(records: IDataObject[], page: IDataObject[]): boolean {
	const onPage = new Set(page.map(identityOf));
	const missing = records.filter((record) => !onPage.has(identityOf(record)));
	return missing.length * 2 > records.length;
}
