import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { uniqueRecords } from './paging';
import { identityOf } from './recordFields';

/** Reads page 1, 2, … of a list. */
export type PageReader = (page: number) => Promise<IDataObject[]>;

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
}

/**
 * Reads a list to its end, or to the page for which `isLast` returns true: no wanted record follows it.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function readPages(
	readPage: PageReader,
	{ firstPage, hasTimeLeft }: ReadLimits,
	isLast: (page: IDataObject[]) => boolean = () => false,
): Promise<ListResult> {
	const records: IDataObject[] = [];
	const reading = { page: firstPage, isOver: false, isOutOfTime: false };
	const pages = uniqueRecords(async () => {
		reading.isOutOfTime = !reading.isOver && reading.page > firstPage && !hasTimeLeft();
		if (reading.isOver || reading.isOutOfTime) return [];
		const read = await readPage(reading.page);
		reading.page++;
		reading.isOver = isLast(read);
		return read;
	});
	for await (const fresh of pages) records.push(...fresh);
	return { records, ...(reading.isOutOfTime ? { nextPage: reading.page } : {}) };
}

/** A list that the service can sort by a time in its records. */
export interface TimeSortedList {
	/** Pages with the newest record first, as far as the service supports that (docs/api-reference.md). */
	newestFirst: PageReader;
	/** Pages in the documented order, for a service that rejects the other one. */
	defaultOrder: PageReader;
	/** Milliseconds since the epoch; undefined when the record has none. */
	timeOf: (record: IDataObject) => number | undefined;
}

/**
 * Reads the newest records first and falls back to the documented order when the service rejects that with 400 or 422.
 *
 * @throws NodeApiError when a page cannot be read
 */
export function newestFirstIfSupported({
	newestFirst,
	defaultOrder,
}: Pick<TimeSortedList, 'newestFirst' | 'defaultOrder'>): PageReader {
	let accepted: PageReader | undefined;
	return async (page) => {
		if (accepted) return await accepted(page);
		const records = await newestFirst(page).catch(async (error: unknown) => {
			if (!isRejectedValue(error)) throw error;
			accepted = defaultOrder;
			return await defaultOrder(page);
		});
		accepted ??= newestFirst;
		return records;
	};
}

function isRejectedValue(error: unknown): boolean {
	return error instanceof NodeApiError && ['400', '422'].includes(error.httpCode ?? '');
}

/** A time range, milliseconds since the epoch. `from` may depend on the newest record of page 1. */
export interface TimeRange {
	from: (newest: number) => number;
	to: number;
	/** Of a list with the newest first, records to read even if they are older than `from`. */
	atLeast?: number;
	/** Number of records that are enough, in the order of the list: the rest of the range is not read. */
	atMost?: { count: number; matches: (record: IDataObject) => boolean };
}

/** The part of a list that lies in a time range. */
export interface TimeRangeResult extends ListResult {
	/**
	 * Every record of this time or later was read, as far as the range reaches: milliseconds since the epoch, `-Infinity`
	 * when the list was read to its end. Undefined when there was no time left.
	 */
	completeFrom?: number;
	/** Whether the list itself has the newest record first, so that `records` are in the opposite order. */
	isReversed: boolean;
}

/**
 * Reads the pages of a list that contain records of a time range, and as few others as possible: pages before the range are
 * skipped by a search over pages 1, 2, 4, 8, … and halving, pages after it are not read. Pages are skipped only while they
 * are sorted by time, newest or oldest first; a list in any other order is read completely.
 *
 * @returns the records of these pages (those outside the range as well), oldest first if the list is sorted
 * @throws NodeApiError when a page cannot be read
 */
export async function readTimeRange(
	list: TimeSortedList,
	{ from, to, atLeast = 0, atMost }: TimeRange,
	limits: ReadLimits,
): Promise<TimeRangeResult> {
	const read = new Map<number, ReadPage>();
	const reader = newestFirstIfSupported(list);
	const readPage: PageReader = async (number) => {
		const known = read.get(number);
		if (known) return known.records;
		const records = await reader(number);
		read.set(number, { number, records, times: timesByIdentity(records, list) });
		return records;
	};
	const lastTimeOf = (records: IDataObject[]) =>
		records.map(list.timeOf).findLast((time) => time !== undefined);

	// Also when an earlier reading continues: page 1 shows how the list is sorted and what is newest.
	const first = await readPage(1);
	const start = from(Math.max(...(read.get(1)?.times.values() ?? [])));
	/** Whether all of a page, and all pages in front of it, lie before the range in reading order. */
	const isBefore = (records: IDataObject[]) => {
		const last = lastTimeOf(records);
		if (last === undefined) return false;
		const order = orderOf(read);
		return order === 'newestFirst' ? last > to : order === 'oldestFirst' && last < start;
	};
	let completeFrom = -Infinity;
	const matching = new Set<string>();
	/** Whether no page that follows is needed: in reading order all lie behind the range, or there are enough records. */
	const isBehind = (records: IDataObject[]) => {
		for (const record of records) if (atMost?.matches(record)) matching.add(identityOf(record));
		if (atMost && matching.size >= atMost.count) return true;
		const last = lastTimeOf(records);
		if (last === undefined) return false;
		const order = orderOf(read);
		if (order !== 'newestFirst') return order === 'oldestFirst' && last > to;
		const count = [...read.values()].reduce((sum, page) => sum + page.records.length, 0);
		if (last >= start || count < atLeast) return false;
		// The next page may begin with a record of the same time.
		completeFrom = last + 1;
		return true;
	};

	const firstPage =
		limits.firstPage === 1
			? await firstPageOf(readPage, first, isBefore, limits.hasTimeLeft)
			: limits.firstPage;
	let listing = await readPages(readPage, { ...limits, firstPage }, isBehind);
	const order = orderOf(read);
	if (order === 'none' && firstPage !== limits.firstPage) listing = await readPages(readPage, limits);
	if (order === 'oldestFirst' && firstPage !== limits.firstPage) completeFrom = start;
	const { records, nextPage } = listing;
	return {
		records: order === 'newestFirst' ? records.reverse() : records,
		isReversed: order === 'newestFirst',
		...(nextPage === undefined ? { completeFrom } : { nextPage }),
	};
}

/** The number of the first page that does not lie before the range. */
async function firstPageOf(
	readPage: PageReader,
	first: IDataObject[],
	isBefore: (records: IDataObject[]) => boolean,
	hasTimeLeft: () => boolean,
): Promise<number> {
	let before = 1;
	let page = first;
	if (!isBefore(page)) return before;
	/** A page beyond the last one may be empty or the last one again; any page is the first one if numbers are ignored. */
	const skips = async (number: number): Promise<boolean> => {
		const next = await readPage(number);
		const isNew = next.length > 0 && JSON.stringify(next) !== JSON.stringify(page);
		if (!isNew || !isBefore(next)) return false;
		page = next;
		return true;
	};
	let step = 1;
	while (hasTimeLeft() && (await skips(before + step))) {
		before += step;
		step *= 2;
	}
	let notBefore = before + step;
	while (notBefore - before > 1 && hasTimeLeft()) {
		const middle = Math.floor((before + notBefore) / 2);
		if (await skips(middle)) before = middle;
		else notBefore = middle;
	}
	return before + 1;
}

interface ReadPage {
	number: number;
	records: IDataObject[];
	/** Milliseconds since the epoch, in the order of the page. */
	times: Map<string, number>;
}

function timesByIdentity(records: IDataObject[], { timeOf }: TimeSortedList): Map<string, number> {
	const times = new Map<string, number>();
	for (const record of records) {
		const time = timeOf(record);
		if (time !== undefined) times.set(identityOf(record), time);
	}
	return times;
}

/** How a list is sorted as far as it was read; `unknown` when all times are the same, `none` when they rise and fall. */
function orderOf(read: ReadonlyMap<number, ReadPage>): 'newestFirst' | 'oldestFirst' | 'unknown' | 'none' {
	// A record may be on two pages: the list has shifted, or the page beyond the last one is the last one again.
	const counted = new Set<string>();
	let previous: number | undefined;
	let up = false;
	let down = false;
	for (const { times } of [...read.values()].sort((a, b) => a.number - b.number)) {
		for (const [identity, time] of times) {
			if (counted.has(identity)) continue;
			counted.add(identity);
			up ||= time > (previous ?? time);
			down ||= time < (previous ?? time);
			previous = time;
		}
	}
	if (up && down) return 'none';
	return up ? 'oldestFirst' : down ? 'newestFirst' : 'unknown';
}
