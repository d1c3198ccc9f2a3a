import type { IDataObject } from 'n8n-workflow';

import { perRun } from '../shared/perRun';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { hasStatus, toNodeError } from '../transport/errors';
import { path } from '../transport/request';
import {
	isRefusedPage,
	PAGE_SIZE,
	readList,
	readPageOrEnd,
	readUnlessRefused,
	type PageReader,
} from './paging';
import { identityOf } from './recordFields';

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

/** What one run has learned about the event pages of its service; all plans are paged alike. */
interface EventPaging {
	/** The number of the first page, once a response has shown it beyond doubt. */
	firstNumber?: 0 | 1;
	/** The largest page size that the service accepted, in records. */
	acceptedSize: number;
	/** The smallest page size that the service rejected while it accepted a smaller one, in records. */
	rejectedSize: number;
}

/**
 * The number of the first page that the latest run found, by Base URL. Each run finds it again; a refusal of page 0 that agrees
 * with the run before need not be repeated.
 */
const firstNumbers = new Map<string, 0 | 1>();

const pagingOfRun = perRun((): EventPaging => ({ acceptedSize: 0, rejectedSize: Infinity }));

/** Page sizes to fall back to; bounds are not documented (docs/api-reference.md#limits). */
const SMALLER_SIZES = [50, 20, 10];

/** How many times more records are requested at once from a service that ignores the page number. */
const GROWTH = 10;

/**
 * A reader of one page after the other of a plan's events (docs/api-reference.md#search-all-events): page 1 is the first
 * one, whatever its number is at the service. The records contain the plan secret.
 *
 * - The number of the first page is not documented. Unless it is known in this run, page 0 is read once after page 1:
 *   if it has records that page 1 does not have, pages are numbered from 0.
 * - A page size that is rejected with 400 or 422 is made smaller.
 * - A full page that is the same as page 1 is the last one again, or comes from a service that ignores the page number. Half a
 *   page shows which; in the second case only a larger page contains the rest.
 *
 * @throws NodeApiError as {@link readList}; the first one when all page sizes are rejected
 */
export function eventPages(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE, itemIndex }: EventListQuery,
): PageReader {
	const paging = pagingOfRun(context);
	let size: number | undefined;
	let firstNumber: 0 | 1 | undefined;
	/** The identities of its records. */
	let firstPage: string[] | undefined;
	let ignoresNumber = false;
	let isAtEnd = false;
	/** Pages that were read to find the first one. */
	const readAhead = new Map<number, IDataObject[]>();

	const request = async (number: number, pageSize: number, page: number): Promise<IDataObject[]> => {
		const query = { planId, actualPage: number, quantity: pageSize, orderBy, orderType };
		const serviceRequest = { method: 'GET', path: path('events', 'searchAll'), query, itemIndex } as const;
		return await readList(context, serviceRequest, 'events', page);
	};

	const readFirst = async (number: number): Promise<IDataObject[]> => {
		const rejections: unknown[] = [];
		const sizes = size === undefined ? pageSizesToTry(paging, quantity) : [size];
		for (const [index, tried] of sizes.entries()) {
			try {
				const records = await request(number, tried, 1);
				paging.acceptedSize = Math.max(paging.acceptedSize, tried);
				paging.rejectedSize = Math.min(paging.rejectedSize, ...sizes.slice(0, index));
				size = tried;
				return records;
			} catch (error) {
				if (!hasStatus(error, /^(400|422)$/)) throw toNodeError(context, error);
				rejections.push(error);
			}
		}
		throw toNodeError(context, rejections[0]);
	};

	/**
	 * Page 0, empty when the service has none; undefined when it fails, as a negative offset does in many databases.
	 *
	 * @param isExpected whether the run before found none, so that one refusal proves it
	 */
	const readPageZero = async (isExpected: boolean): Promise<IDataObject[] | undefined> => {
		const readZero = async () => await request(0, size ?? quantity, 2);
		const readOne = async () => (await readFirst(1), true);
		try {
			return isExpected ? await readZero() : ((await readUnlessRefused(context, readZero, readOne)) ?? []);
		} catch (error) {
			if (isExpected && isRefusedPage(error)) return [];
			if (hasStatus(error, /^500$/)) return undefined;
			throw toNodeError(context, error);
		}
	};

	const findFirstNumber = async (): Promise<0 | 1> => {
		const { baseUrl } = await serviceCredential(context);
		const one = await readFirst(1);
		const zero = await readPageZero(firstNumbers.get(baseUrl) === 1);
		firstNumbers.set(baseUrl, zero && mostAreMissing(zero, one) ? 0 : 1);
		if (zero && mostAreMissing(zero, one)) {
			paging.firstNumber = 0;
			readAhead.set(1, zero);
			// An empty one counted as the first page, of which a refusal is believed; as the second it has to be confirmed.
			if (one.length > 0) readAhead.set(2, one);
			return 0;
		}
		readAhead.set(1, one);
		// A page 0 that is the same as page 1 proves nothing: the service reads 0 as 1, or counts from 0 and repeats its only page.
		if (zero?.length === 0 && one.length > 0) paging.firstNumber = 1;
		return 1;
	};

	const read: PageReader = async (page) => {
		firstNumber ??= paging.firstNumber ?? (await findFirstNumber());
		const ahead = readAhead.get(page);
		readAhead.delete(page);
		if (ahead) return ahead;
		const number = page - 1 + firstNumber;
		if (page === 1) return await readFirst(number);
		size ??= pageSizesToTry(paging, quantity)[0] ?? quantity;
		return await request(number, size, page);
	};

	/** Page 1, 2, … of a service that returns the first records alone: ten times as many as the page before. */
	const readLarger = async (page: number, firstSize: number): Promise<IDataObject[]> => {
		const sizeBefore = firstSize * GROWTH ** (page - 2);
		if (isAtEnd) return [];
		const records = await request(page - 1 + (firstNumber ?? 1), sizeBefore * GROWTH, page);
		isAtEnd = records.length < sizeBefore * GROWTH;
		return records.length < sizeBefore ? [] : records;
	};

	return async (page) => {
		if (page === 1) {
			const records = await readPageOrEnd(context, read, 1);
			firstPage = records.map(identityOf);
			return records;
		}
		firstPage ??= (await read(1)).map(identityOf);
		if (ignoresNumber && size !== undefined) return await readLarger(page, size);
		const records = await readPageOrEnd(context, read, page);
		const identities = records.map(identityOf);
		const isRepeated = identities.join() === firstPage.join();
		if (size === undefined || records.length !== size || !isRepeated) return records;
		const half = await request(page - 1 + (firstNumber ?? 1), Math.ceil(size / 2), page);
		if (half.some((record, index) => identityOf(record) !== identities[index])) return [];
		ignoresNumber = true;
		return await readLarger(page, size);
	};
}

/** The page sizes to try in this order: what is wanted, or what is known to be accepted, then smaller ones. */
function pageSizesToTry({ acceptedSize, rejectedSize }: EventPaging, wanted: number): number[] {
	if (wanted <= acceptedSize) return [wanted];
	if (wanted >= rejectedSize && acceptedSize > 0) return [acceptedSize];
	return [wanted, ...SMALLER_SIZES.filter((size) => size < wanted)];
}

/** Whether most of the records are not on another page. A few may have moved between two requests. */
function mostAreMissing(records: IDataObject[], page: IDataObject[]): boolean {
	const onPage = new Set(page.map(identityOf));
	const missing = records.filter((record) => !onPage.has(identityOf(record)));
	return missing.length * 2 > records.length;
}
