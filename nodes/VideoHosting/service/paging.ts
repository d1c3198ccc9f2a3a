import type { ServiceContext } from '../transport/credential';
import { namesLimit } from '../transport/errorMeaning';
import { unreadableResponseError } from '../transport/requestError';
import { type ServiceError, around } from '../transport/serviceError';
import { pagesInOrder, type NoPage, type Page, type ServiceList } from './reading';
import type { Listed } from './record';

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
 * @throws ServiceError when a page cannot be read, and at the end of a list that is not whole
 */
export async function* pagesOf<Item extends Listed>(
	context: ServiceContext,
	list: ServiceList<Item>,
): Pages<Item> {
	const { orders, request, substitutes = 0 } = list;
	const known = new Set<string>();
	for (let count = 1; ; count++) {
		const tried = orders.slice((count - 1) % orders.length, count === 1 ? substitutes + 1 : undefined);
		const reading = new Reading(list, known);
		for await (const answer of pagesInOrder(context, list, tried)) {
			const items = reading.newIn(answer);
			if (items.length > 0) yield { items, hasHoles: reading.isShort };
			if (reading.isEnd) break;
		}
		if (reading.isShort && count < MOST_READINGS) continue;
		const gap = reading.gap();
		if (!gap) return;
		const error = unreadableResponseError(context, request(1, {}), gap.what);
		throw around(error, { advice: gap.advice });
	}
}

/** One reading of a list. It answers three questions: what is new on a page, is that the end, is the list whole? */
class Reading<Item extends Listed> {
	/** The records of this reading. */
	private readonly seen = new Set<string>();

	/** How many records other readings have found. */
	private readonly knownBefore: number;

	private last?: Page<Item>;

	/** Whether nothing was new on the last page. A short page is not the end, since the service may cap the page size. */
	private isOver = false;

	/** How the service rejected the page after the last one. */
	private rejection?: ServiceError;

	/** How many records are on all pages, counting those that come twice: as many as the list has. */
	private places = 0;

	/** Whether a page repeats records of an earlier page, other than by a shift. */
	private isRepeating = false;

	/** The lowest total of all pages: records may be created or deleted meanwhile. */
	private total = Infinity;

	/** How many pages there are, as the last page that says so; and how many have something new. */
	private pages = 0;

	private pagesRead = 0;

	/** How many records the largest page has. */
	private largest = 0;

	/** @param known the records of all readings */
	constructor(
		private readonly list: ServiceList<Item>,
		private readonly known: Set<string>,
	) {
		this.knownBefore = known.size;
	}

	/** What is new: the records that no page of any reading has shown before. */
	newIn(answer: Page<Item> | NoPage): Item[] {
		if (answer.kind === 'no page') {
			this.rejection = answer.error;
			return [];
		}
		const { known, last, seen } = this;
		const { items } = answer;
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
			this.largest = Math.max(this.largest, items.length);
			this.isRepeating ||= !isShifted;
			this.places += fresh.length + repeated.length;
			this.pagesRead++;
			this.total = Math.min(this.total, answer.total ?? Infinity);
			this.pages = answer.pages ?? this.pages;
		}
		// Where pages count from 1, page 0 or the list without a page may be page 1.
		const isAgain = last?.number === 0 && items.length > 0;
		this.isOver = fresh.length === 0 && !isAgain;
		this.last = answer;
		return fresh.filter(({ identity }) => known.size < known.add(identity).size);
	}

	/** Whether the last page is the end. The list of folders has one page, unless it says that there are more. */
	get isEnd(): boolean {
		return this.isOver || (this.list.isOnePage === true && this.missing === undefined);
	}

	/** Whether records may be missing, since pages repeat others. Two of equal dates at the end of a page may look like a shift. */
	get isShort(): boolean {
		const size = Number.isFinite(this.total) ? this.total : this.places;
		return this.places > this.seen.size && this.known.size < size;
	}

	/** What the list lacks at its end, and what to do about it; undefined when it is whole. */
	gap(): { what: string; advice?: string } | undefined {
		const { kind } = this.list;
		const { known, missing, rejection } = this;
		// A list that only grows at its beginning has a stable order.
		if (this.isShort && this.isRepeating && known.size > this.knownBefore)
			return {
				what: `The service repeats ${kind}s on its pages, so that others are missing: its order is not stable.`,
				advice: `${known.size} ${kind}s were found in ${MOST_READINGS} readings of the list. Sort it by another field, or ask the provider of the service.`,
			};
		if (missing !== undefined) return { what: `The service lists ${known.size} ${kind}s, but ${missing}.` };
		// For example `Only the first 200 results are available` after two pages of 100.
		if (rejection && namesLimit(rejection) && this.mayBeCut)
			return {
				what: `The list of ${kind}s is longer than the service shows: ${rejection.message}`,
				advice: `Set a Limit, choose one ${kind} by its hash or UUID, or ask the provider of the service.`,
			};
		return undefined;
	}

	/** Whether the last page is a full one, and the list does not say how long it is. */
	private get mayBeCut(): boolean {
		const { items = [], request } = this.last ?? {};
		const full = this.pagesRead > 1 ? this.largest : Number(request?.query?.quantity ?? Infinity);
		return items.length >= full && !Number.isFinite(this.total) && this.pages === 0;
	}

	/** How the list says that there are more records, if it does: by a total, else by one of the other ways. */
	private get missing(): string | undefined {
		if (Number.isFinite(this.total)) return this.known.size < this.total ? `has ${this.total}` : undefined;
		// A list may also end before a page that the service rejects.
		const isMore = this.pagesRead < this.pages || (!this.rejection && this.last?.hasMore === true);
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
