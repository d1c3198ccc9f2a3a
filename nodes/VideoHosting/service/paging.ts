import { perRun } from '../shared/perRun';
import { Lock } from '../shared/waiting';
import type { ServiceContext } from '../transport/credential';
import { isServiceError, unreadableResponseError } from '../transport/errors';
import { requestWithRetry } from '../transport/request';
import {
	EMPTY_LIST,
	listIn,
	NO_SUCH_PAGE,
	REJECTED_VALUE,
	type ListPart,
	type RecordKind,
} from '../transport/response';
import type { ServiceRequest } from '../transport/serviceRequest';
import type { Listed, ServiceRecord } from './record';

/** Records requested at once. The service may cap it (docs/api-reference.md#limits). */
export const PAGE_SIZE = 100;

/** A list page by page: each record once, no page without records. */
export type Pages<Item> = AsyncGenerator<Item[], void, undefined>;

/** One response of a list with its records read. */
export interface Page<Item> extends Pick<ListPart, 'total' | 'pages' | 'hasMore'> {
	items: Item[];
	request: ServiceRequest;
}

/** Reads one page of a list. */
export type PageReader<Item> = (page: number) => Promise<Page<Item>>;

/**
 * Reads one list response. An empty list may come as a 404 of the service such as `No events found`.
 *
 * @param read reads one record
 * @throws NodeApiError when the request fails or the response contains no list
 */
export async function readPage<Item>(
	context: ServiceContext,
	request: ServiceRequest,
	kind: RecordKind,
	read: (record: ServiceRecord) => Item,
): Promise<Page<Item>> {
	const { statusCode, body } = await requestWithRetry(context, request).catch((error: unknown) => {
		if (isServiceError(error, /^404$/) && EMPTY_LIST.test(error.message))
			return { statusCode: 204, body: '' };
		throw error;
	});
	const list = listIn(statusCode, body, kind);
	if (list) return { ...list, items: list.records.map(read), request };
	const got = body === '' ? 'an empty body' : 'something else';
	const missing = `The service returned ${got} instead of a list of ${kind}s.`;
	throw unreadableResponseError(context, request, missing);
}

/**
 * Reads one page after the other, from page 1. The list ends with a page that is empty, has nothing new, or is rejected by the
 * service itself. A short page is not the end, since the service may cap the page size.
 *
 * @param readers used one after the other, when the service rejects the first page with 400 or 422: it documents neither page sizes
 * nor sort directions
 * @param isOnePage whether the list has one page, unless it says that there are more records
 * @throws NodeApiError when a page cannot be read, and at the end of a list that says that there are more records
 */
export async function* pagesOf<Item extends Listed>(
	context: ServiceContext,
	kind: RecordKind,
	readers: Array<PageReader<Item>>,
	isOnePage = false,
): Pages<Item> {
	let [accepted, ...others] = readers;
	const read = async (page: number): Promise<Page<Item> | undefined> =>
		await accepted?.(page).catch(async (error: unknown) => {
			if (page > 1 && isServiceError(error, NO_SUCH_PAGE)) return undefined;
			const [other, ...rest] = isServiceError(error, REJECTED_VALUE) ? others : [];
			if (other === undefined) throw error;
			[accepted, others] = [other, rest];
			return await read(page);
		});
	const seen = new Set<string>();
	// The lowest total of all pages: records may be created or deleted meanwhile.
	let total = Infinity;
	let pages = 0;
	let last: Page<Item> | undefined;
	for (let page = 1; ; page++) {
		const next = await read(page);
		last = next ?? last;
		const fresh = (next?.items ?? []).filter(({ identity }) => seen.size < seen.add(identity).size);
		if (fresh.length > 0) yield fresh;
		// What an empty page counts may be its own records.
		if (fresh.length > 0 || page === 1) {
			total = Math.min(total, next?.total ?? Infinity);
			pages = next?.pages ?? pages;
		}
		// An empty list may say that it has one page.
		const pagesRead = Math.max(1, fresh.length > 0 ? page : page - 1);
		const hasMore = next?.hasMore === true || pagesRead < pages;
		const saysMore = total === Infinity ? hasMore : seen.size < total;
		if (fresh.length === 0 && saysMore && last) {
			const missing =
				total === Infinity ? 'says that there are more, and does not return them' : `has ${total}`;
			throw unreadableResponseError(
				context,
				last.request,
				`The service lists ${seen.size} ${kind}s, but ${missing}.`,
			);
		}
		if (fresh.length === 0 || (isOnePage && !saysMore && !hasMore)) return;
	}
}

/** The first `limit` records of a list that match. Reads no further than needed. */
export async function firstRecords<Item>(
	pages: Pages<Item>,
	limit = Infinity,
	matches: (item: Item) => boolean = () => true,
): Promise<Item[]> {
	const found: Item[] = [];
	for await (const page of pages) {
		for (const item of page) if (matches(item)) found.push(item);
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}

/** How old a list of a run may become, in milliseconds: less than what this process remembers of its creations. */
const LONGEST_KEPT_MS = 5 * 60 * 1000;

/** The lists that a run keeps for its look-ups. */
export class ListsOfRun<Item> {
	private readonly lists = perRun(() => new Map<string, LazyList<Item>>());

	/**
	 * @param open reads the list of a plan or an application
	 * @param keptMs how old a list may become, in milliseconds
	 */
	constructor(
		private readonly open: (context: ServiceContext, owner: string) => Pages<Item>,
		private readonly keptMs = LONGEST_KEPT_MS,
	) {}

	/**
	 * The list of a plan or an application, which look-ups read no further than needed.
	 *
	 * @param notBefore an older list is read anew; milliseconds since 1970
	 */
	of(context: ServiceContext, owner: string, notBefore = 0): LazyList<Item> {
		const lists = this.lists(context);
		const known = lists.get(owner);
		if (known && known.openedAt >= Math.max(notBefore, Date.now() - this.keptMs)) return known;
		const list = new LazyList(() => this.open(context, owner));
		lists.set(owner, list);
		return list;
	}

	/** The first match among the records that the run has read. */
	known(context: ServiceContext, matches: (item: Item) => boolean | undefined): Item | undefined {
		return [...this.lists(context).values()].flatMap((list) => list.known(matches) ?? [])[0];
	}
}

/** A list that is read no further than look-ups need, each page once. After a page that cannot be read, it starts again. */
export class LazyList<Item> {
	readonly openedAt = Date.now();

	private items: Item[] = [];

	private pages?: Pages<Item>;

	/** One look-up reads at a time: another one that meets the end of a failed reading would see an empty list. */
	private readonly reading = new Lock();

	constructor(private readonly open: () => Pages<Item>) {}

	/** Whether the first page was requested. */
	get isOpen(): boolean {
		return this.pages !== undefined;
	}

	/** The first match among the records that were read so far. */
	known(matches: (item: Item) => boolean | undefined): Item | undefined {
		return this.items.find(matches);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages that may be read for it
	 * @throws NodeApiError when a page cannot be read
	 */
	async find(matches: (item: Item) => boolean, mostPages = Infinity): Promise<Item | undefined> {
		const leave = await this.reading.enter();
		try {
			let found = this.known(matches);
			this.pages ??= this.open();
			for (let read = 0; !found && read < mostPages; read++) {
				const { value, done } = await this.pages.next().catch((error: unknown) => {
					this.pages = undefined;
					this.items = [];
					throw error;
				});
				if (done) return undefined;
				for (const item of value) this.items.push(item);
				found = value.find(matches);
			}
			return found;
		} finally {
			leave();
		}
	}

	/** The whole list. */
	async all(): Promise<readonly Item[]> {
		await this.find(() => false);
		return this.items;
	}
}
