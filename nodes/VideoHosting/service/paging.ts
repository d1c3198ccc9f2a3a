import type { ServiceContext } from '../transport/credential';
import { unreadableResponseError } from '../transport/errors';
import { pagesInOrder, type Page, type ServiceList } from './reading';
import type { Listed } from './record';

/** Records requested at once. The service may cap it (docs/api-reference.md#limits). */
export const PAGE_SIZE = 100;

/** What a page adds to a list. */
export interface NewItems<Item> {
	items: Item[];
	/** Whether earlier records may be missing so far, since pages repeat others. */
	hasHoles: boolean;
}

/** A list page by page: each record once, no page without records. */
export type Pages<Item> = AsyncGenerator<NewItems<Item>, void, undefined>;

/** How often a list with holes is read. */
const MOST_READINGS = 5;

/**
 * Reads a list to its end. A list has holes when the service sorts records of equal dates differently on each page, so that some come
 * twice and others not at all. It is read again in other orders, until as many records are known as there are.
 *
 * @throws NodeApiError when a page cannot be read, and at the end of a list that is not whole
 */
export async function* pagesOf<Item extends Listed>(
	context: ServiceContext,
	list: ServiceList<Item>,
): Pages<Item> {
	const { firstPage, kind, orders, request, substitutes = 0 } = list;
	const known = new Set<string>();
	for (let count = 1; ; count++) {
		const before = known.size;
		const tried = orders.slice((count - 1) % orders.length, count === 1 ? substitutes + 1 : undefined);
		const reading = new Reading<Item>();
		for await (const page of pagesInOrder(context, list, tried)) {
			const items = reading.add(page).filter(({ identity }) => known.size < known.add(identity).size);
			if (items.length > 0) yield { items, hasHoles: reading.isShort(known.size) };
			if (reading.isOver || (firstPage === 0 && reading.missing(known.size) === undefined)) break;
		}
		const isShort = reading.isShort(known.size);
		if (isShort && count < MOST_READINGS) continue;
		// A list may also end before a page that the service rejects.
		const missing = reading.missing(known.size, reading.isOver);
		// A list that only grows at its beginning has a stable order.
		const isUnstable = isShort && reading.hasHoles && known.size > before;
		if (!isUnstable && missing === undefined) return;
		const message = isUnstable
			? `The service repeats ${kind}s on its pages, so that others are missing: its order is not stable.`
			: `The service lists ${known.size} ${kind}s, but ${missing}.`;
		const error = unreadableResponseError(context, request(1, {}), message);
		if (isUnstable)
			error.description = `${known.size} ${kind}s were found in ${MOST_READINGS} readings of the list. Sort it by another field, or ask the provider of the service.`;
		throw error;
	}
}

/** One reading of a list: what is new on each page, where the list ends, and whether it is whole. */
class Reading<Item extends Listed> {
	/** Whether a page repeats records of an earlier page, other than by a shift. */
	hasHoles = false;

	/** Whether the last page was the end. A short page is not, since the service may cap the page size. */
	isOver = false;

	private readonly seen = new Set<string>();

	/** How many records are on all pages, counting those that come twice: as many as the list has. */
	private places = 0;

	/** The lowest total of all pages: records may be created or deleted meanwhile. */
	private total = Infinity;

	private pagesRead = 0;

	/** How many pages there are, as the last page with something new that says so. */
	private pages = 0;

	private last?: Page<Item>;

	/**
	 * Whether records may be missing, since pages repeat others. Two of equal dates at the end of a page may look like a shift.
	 *
	 * @param count of the records that were found
	 */
	isShort(count: number): boolean {
		const size = Number.isFinite(this.total) ? this.total : this.places;
		return this.places > this.seen.size && count < size;
	}

	/** Adds a page, and returns its records that are on no page before. */
	add(page: Page<Item>): Item[] {
		const { last, seen } = this;
		const { items } = page;
		const fresh = items.filter(({ identity }) => !seen.has(identity));
		// Records without an ID may be several that look the same.
		const repeated = items.filter(({ identity, key }) => key !== undefined && seen.has(identity));
		// When records were added to the beginning of the list meanwhile, the page begins with the end of the one before.
		const isShifted = repeated.every(
			(_each, index) => items[index]?.identity === last?.items.at(index - repeated.length)?.identity,
		);
		for (const { identity } of fresh) seen.add(identity);
		// What an empty page counts may be its own records.
		if (fresh.length > 0 || !last) {
			this.hasHoles ||= !isShifted;
			this.places += fresh.length + repeated.length;
			this.pagesRead++;
			this.total = Math.min(this.total, page.total ?? Infinity);
			this.pages = page.pages ?? this.pages;
		}
		// Where pages count from 1, page 0 or the list without a page may be page 1.
		const isAgain = last?.number === 0 && items.length > 0;
		this.isOver = fresh.length === 0 && !isAgain;
		this.last = page;
		return fresh;
	}

	/**
	 * How the list says that there are more records than so many, if it does: by a total, else by one of the other ways.
	 *
	 * @param believesMore whether another part that the last page announces counts
	 */
	missing(count: number, believesMore = true): string | undefined {
		if (Number.isFinite(this.total)) return count < this.total ? `has ${this.total}` : undefined;
		const isMore = this.pagesRead < this.pages || (believesMore && this.last?.hasMore === true);
		return isMore ? 'says that there are more, and does not return them' : undefined;
	}
}

/** The first `limit` records of a list that match. Reads no further than needed. */
export async function firstRecords<Item>(
	pages: Pages<Item>,
	limit = Infinity,
	matches: (item: Item) => boolean = () => true,
): Promise<Item[]> {
	const found: Item[] = [];
	for await (const { items } of pages) {
		for (const item of items) if (matches(item)) found.push(item);
		if (found.length >= limit) break;
	}
	return found.slice(0, limit);
}
