// For the rooms trigger and upload until they use service/paging.ts; see lists.ts.
import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../../transport/credential';
import { hasStatus, isServiceError, toNodeError, unreadableResponseError } from '../../transport/errors';
import { identityOf } from '../recordFields';
import { extractList, meansEmptyList } from '../responseParsing';
import { requestJsonResponse } from '../../transport/request';
import type { ServiceRequest, ServiceResponse } from '../../transport/serviceRequest';

/** Records requested at once. The service may cap it (docs/api-reference.md#limits). */
export const PAGE_SIZE = 100;

/** Reads page 1, 2, … of a list: 1 is the first page, whatever its number is at the service. */
export type PageReader = (page: number) => Promise<IDataObject[]>;

/** Statuses by which a service may refuse a page that it does not have; 200 with an error message. */
const REFUSED_PAGE = /^(200|400|404|416|422)$/;

/** Errors of a later page whose response had no body: a refusal, if it stays. */
const emptyPages = new WeakSet<Error>();

/** Whether an error may mean that there is no such page. A web page, or other content that is not the service's, never does. */
function isRefusedPage(error: unknown): boolean {
	return isServiceError(error, REFUSED_PAGE) || (error instanceof Error && emptyPages.has(error));
}

/**
 * Reads a page, or finds out that there is no such page: the service refuses it, still answers another request, and refuses
 * it again. A response that is not the service's own, such as a gateway's web page, is no refusal.
 *
 * @param stillAnswers sends the other request; false when its response is no better
 * @returns undefined when there is no such page
 * @throws NodeApiError when the page cannot be read
 */
export async function readUnlessRefused(
	read: () => Promise<IDataObject[]>,
	stillAnswers: () => Promise<boolean>,
): Promise<IDataObject[] | undefined> {
	const readOnce = async () =>
		await read().catch((error: unknown) => {
			if (!isRefusedPage(error)) throw error;
			return undefined;
		});
	return (await readOnce()) ?? ((await stillAnswers()) ? await readOnce() : await read());
}

/**
 * Reads a page that may be beyond the last one; then it is empty. {@link readUnlessRefused} requests the page before it again.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function readPageOrEnd(readPage: PageReader, page: number): Promise<IDataObject[]> {
	if (page === 1) return await readPage(1);
	const hasPageBefore = async () => (await readPage(page - 1)).length > 0;
	return (await readUnlessRefused(async () => await readPage(page), hasPageBefore)) ?? [];
}

/**
 * Reads one list response: its records, and its whole body. An empty list may come as 204, or as an error whose message reports
 * that there are no such records. Of a later page, {@link readUnlessRefused} makes sure of that, and of an empty body.
 *
 * @param resourceName the list's name in the plural as a response may contain it: `events`, `folders`, `videos`
 * @param page 1 for the first page of the list, whatever its number is at the service
 * @throws NodeApiError when the request fails or the response contains no list
 */
export async function readList(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	resourceName: string,
	page = 1,
): Promise<{ list: IDataObject[]; body: unknown }> {
	let response: ServiceResponse;
	try {
		response = await requestJsonResponse(context, serviceRequest);
	} catch (error) {
		const rejection = toNodeError(context, error);
		const message = rejection.message.split('.', 1)[0] ?? '';
		const isEmpty = hasStatus(rejection, /^(200|404)$/) && meansEmptyList(message, resourceName);
		if (page === 1 && isEmpty) return { list: [], body: null };
		throw rejection;
	}
	const { statusCode, body } = response;
	if (statusCode === 204) return { list: [], body: null };
	const list = extractList(body, resourceName);
	if (list) return { list, body };
	const got = body === '' ? 'an empty body' : 'something else';
	const error = await unreadableResponseError(
		context,
		serviceRequest,
		`The service returned ${got} instead of a list of ${resourceName}.`,
	);
	if (page > 1 && body === '') emptyPages.add(error);
	throw error;
}

/**
 * Yields the records of each further page, without those seen before. A short page is not the end, since the
 * service may cap the page size; an empty page is, and so are two pages in a row with nothing new: one such page can
 * come of records inserted while the list is read, two come of a service that ignores the page number.
 *
 * Records inserted between two requests push others onto the next page, where they are known by then: nothing is lost or
 * repeated. A record deleted between two requests pulls the first record of the next page onto a page that was read
 * already. Only reading every page twice could detect that. The record is there again in the next run.
 */
export async function* uniqueRecords(readPage: PageReader): AsyncGenerator<IDataObject[], void, undefined> {
	const seen = new Set<string>();
	let pagesWithNothingNew = 0;
	for (let page = 1; pagesWithNothingNew < 2; page++) {
		const records = await readPage(page);
		if (records.length === 0) return;
		const fresh = records.filter((record) => {
			const identity = identityOf(record);
			const isNew = !seen.has(identity);
			seen.add(identity);
			return isNew;
		});
		pagesWithNothingNew = fresh.length === 0 ? pagesWithNothingNew + 1 : 0;
		if (fresh.length > 0) yield fresh;
	}
}

/**
 * The first `limit` records of a paged list, of those that match if `matches` is passed. Stops reading as soon as it has
 * them.
 */
export async function firstRecords(
	readPage: PageReader,
	limit: number,
	matches: (record: IDataObject) => boolean = () => true,
): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	await readPages(readPage, WHOLE_LIST, (fresh) => {
		for (const record of fresh) if (matches(record)) found.push(record);
		return found.length >= limit;
	});
	return found.slice(0, limit);
}

/** A part of a list, each record once. */
export interface ListResult {
	records: IDataObject[];
	/** Page to continue with when `hasTimeLeft` ended the reading; undefined when all wanted records were read. */
	nextPage?: number;
}

export interface ReadLimits {
	firstPage: number;
	/** Whether there is time for one more page; called before each page but the first. */
	hasTimeLeft: () => boolean;
	/** Whether an error on a page but the first one means that there is no time left for it. */
	endsReading?: (error: unknown) => boolean;
}

/** A list from its first page to its end. */
export const WHOLE_LIST: ReadLimits = { firstPage: 1, hasTimeLeft: () => true };

/**
 * Reads a list to its end, or until `isEnough` returns true for the new records of a page: no wanted record follows them.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function readPages(
	readPage: PageReader,
	{ firstPage, hasTimeLeft, endsReading }: ReadLimits,
	isEnough: (fresh: IDataObject[]) => boolean = () => false,
): Promise<ListResult> {
	const records: IDataObject[] = [];
	const reading = { page: firstPage, isOutOfTime: false };
	const pages = uniqueRecords(async () => {
		reading.isOutOfTime = reading.page > firstPage && !hasTimeLeft();
		if (reading.isOutOfTime) return [];
		const page = await readPage(reading.page).catch((error: unknown) => {
			if (reading.page === firstPage || !endsReading?.(error)) throw error;
			return undefined;
		});
		reading.isOutOfTime = page === undefined;
		if (page) reading.page++;
		return page ?? [];
	});
	for await (const fresh of pages) {
		records.push(...fresh);
		if (isEnough(fresh)) break;
	}
	return { records, ...(reading.isOutOfTime ? { nextPage: reading.page } : {}) };
}
