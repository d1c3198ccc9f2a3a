import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../transport/credential';
import { isServiceError, toNodeError, unreadableResponseError } from '../transport/errors';
import { requestJsonResponse } from '../transport/request';
import type { ServiceRequest, ServiceResponse } from '../transport/serviceRequest';
import { identityOf } from './recordFields';
import { extractList, meansEmptyList } from './responseParsing';

/** Records requested at once. The service may cap it (docs/api-reference.md#limits). */
export const PAGE_SIZE = 100;

/** A list page by page: each record once, no page without records. */
export type Pages = AsyncGenerator<IDataObject[], void, undefined>;

/** How the service itself may reject a page that it does not have. */
export const NO_SUCH_PAGE = /^(400|404|416|422)$/;

/** How it may reject a page size or a sort direction. */
const REJECTED_VALUE = /^(400|422)$/;

/**
 * Reads one list response. An empty list may come as 204, or as a 404 of the service such as `No events found`.
 *
 * @param resourceName the list's name in the plural as a response may contain it: `events`, `folders`, `videos`
 * @throws NodeApiError when the request fails or the response contains no list
 */
export async function readList(
	context: ServiceContext,
	serviceRequest: ServiceRequest,
	resourceName: string,
): Promise<IDataObject[]> {
	let response: ServiceResponse;
	try {
		response = await requestJsonResponse(context, serviceRequest);
	} catch (error) {
		const failure = toNodeError(context, error);
		if (isServiceError(failure, /^404$/) && meansEmptyList(failure.message)) return [];
		throw failure;
	}
	const { statusCode, body } = response;
	const list = statusCode === 204 ? [] : extractList(body, resourceName);
	if (list) return list;
	const got = body === '' ? 'an empty body' : 'something else';
	throw unreadableResponseError(
		context,
		serviceRequest,
		`The service returned ${got} instead of a list of ${resourceName}.`,
	);
}

/** Reads one page of a list. */
export type PageReader = (page: number) => Promise<IDataObject[]>;

/**
 * Reads one page after the other, from page 1. The list ends with a page that is empty, has nothing new, or is rejected by the
 * service itself. A short page is not the end, since the service may cap the page size.
 *
 * @param others used instead, one after the other, when the service rejects the first page with 400 or 422: it documents neither
 * page sizes nor sort directions
 * @throws NodeApiError when a page cannot be read
 */
export async function* pagesOf(reader: PageReader, ...others: PageReader[]): Pages {
	let accepted = reader;
	const readPage: PageReader = async (page) =>
		await accepted(page).catch(async (error: unknown) => {
			if (page > 1 && isServiceError(error, NO_SUCH_PAGE)) return [];
			const other = isServiceError(error, REJECTED_VALUE) ? others.shift() : undefined;
			if (other === undefined) throw error;
			accepted = other;
			return await readPage(page);
		});
	const seen = new Set<string>();
	for (let page = 1; ; page++) {
		const records = await readPage(page);
		const fresh = records.filter((record) => seen.size < seen.add(identityOf(record)).size);
		if (fresh.length === 0) return;
		yield fresh;
	}
}

/** The first `limit` records of a list that match. Reads no further than needed. */
export async function firstRecords(
	pages: Pages,
	limit = Infinity,
	matches: (record: IDataObject) => boolean = () => true,
): Promise<IDataObject[]> {
	const found: IDataObject[] = [];
	for await (const page of pages) {
		for (const record of page) if (matches(record)) found.push(record);
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}

/** A list that is read only as far as look-ups need, each page once. After a page that cannot be read it begins anew. */
export class LazyList {
	readonly openedAt = Date.now();

	private records: IDataObject[] = [];

	private pages?: Pages;

	constructor(private readonly open: () => Pages) {}

	/** Whether a part of it was read. */
	get isOpen(): boolean {
		return this.pages !== undefined;
	}

	/** The first match among the records that were read so far. */
	known(matches: (record: IDataObject) => boolean): IDataObject | undefined {
		return this.records.find(matches);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages that may be read for it
	 * @throws NodeApiError when a page cannot be read
	 */
	async find(
		matches: (record: IDataObject) => boolean,
		mostPages = Infinity,
	): Promise<IDataObject | undefined> {
		let found = this.known(matches);
		this.pages ??= this.open();
		for (let read = 0; !found && read < mostPages; read++) {
			const { value, done } = await this.pages.next().catch((error: unknown) => {
				this.pages = undefined;
				this.records = [];
				throw error;
			});
			if (done) return undefined;
			for (const record of value) this.records.push(record);
			found = value.find(matches);
		}
		return found;
	}

	/** The whole list. */
	async all(): Promise<readonly IDataObject[]> {
		await this.find(() => false);
		return this.records;
	}

	/** Changes records that were read: `change` returns the new record, or undefined to remove it. */
	update(
		matches: (record: IDataObject) => boolean,
		change: (record: IDataObject) => IDataObject | undefined,
	): void {
		const updated = this.records.map((record) => (matches(record) ? change(record) : record));
		this.records = updated.filter((record) => record !== undefined);
	}
}
