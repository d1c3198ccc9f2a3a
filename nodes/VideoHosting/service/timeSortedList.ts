import type { IDataObject } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';

import { uniqueRecords } from './paging';
import { identityOf } from './responseParsing';

/** Reads page 1, 2, … of a list. */
export type PageReader = (page: number) => Promise<IDataObject[]>;

/** A part of a list, each record once. */
export interface ListResult {
	records: IDataObject[];
	/** Page to go on with when `hasTimeLeft` ended the reading; undefined when all that was wanted is here. */
	nextPage?: number;
}

export interface ReadLimits {
	firstPage: number;
	/** Asked before each page but the first: whether there is time for one more. */
	hasTimeLeft: () => boolean;
}

/**
 * Reads a list to its end, or to the page after which `isLast` says that nothing wanted follows.
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

/** A list that the service can sort by a time which its records carry. */
export interface TimeSortedList {
	/** Pages with the newest record first, as far as the service honours that; allowed values are not shown (7, 20). */
	newestFirst: PageReader;
	/** Pages in the order that the reference shows, for a service that refuses the other one. */
	defaultOrder: PageReader;
	/** Milliseconds since the epoch; undefined when the record does not tell. */
	timeOf: (record: IDataObject) => number | undefined;
}

/**
 * Reads the newest records first and falls back to the documented order when the service refuses with 400 or 422.
 *
 * @throws NodeApiError when a page cannot be read
 */
export function newestFirstIfSupported({ newestFirst, defaultOrder }: TimeSortedList): PageReader {
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

/** A span of time, milliseconds since the epoch. `from` may depend on the newest record of page 1. */
export interface TimeRange {
	from: (newest: number) => number;
	to: number;
}

/**
 * Reads the pages of a list on which records of a span of time lie, and none of the others as far as that is safe: pages
 * before the span are skipped by trying pages 1, 2, 4, 8, … and halving, pages behind it are not read. Both are done
 * only while the pages really are sorted by time, newest or oldest first; of a list in any other order all is read.
 *
 * @returns the records of these pages (those outside the span as well), oldest first if the list is sorted
 * @throws NodeApiError when a page cannot be read
 */
export async function readTimeRange(
	list: TimeSortedList,
	{ from, to }: TimeRange,
	limits: ReadLimits,
): Promise<ListResult> {
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

	// Also when an earlier reading is gone on with: page 1 tells how the list is sorted and what is newest.
	const first = await readPage(1);
	const start = from(Math.max(...(read.get(1)?.times.values() ?? [])));
	/** Whether all of a page, and all pages in front of it, lie before the span in reading order. */
	const isBefore = (records: IDataObject[]) => {
		const last = lastTimeOf(records);
		if (last === undefined) return false;
		const order = orderOf(read);
		return order === 'newestFirst' ? last > to : order === 'oldestFirst' && last < start;
	};
	/** Whether all pages that follow lie behind the span in reading order. */
	const isBehind = (records: IDataObject[]) => {
		const last = lastTimeOf(records);
		if (last === undefined) return false;
		const order = orderOf(read);
		return order === 'newestFirst' ? last < start : order === 'oldestFirst' && last > to;
	};

	const firstPage =
		limits.firstPage === 1
			? await firstPageOf(readPage, first, isBefore, limits.hasTimeLeft)
			: limits.firstPage;
	let listing = await readPages(readPage, { ...limits, firstPage }, isBehind);
	const order = orderOf(read);
	if (order === 'none' && firstPage !== limits.firstPage) listing = await readPages(readPage, limits);
	return order === 'newestFirst' ? { ...listing, records: listing.records.reverse() } : listing;
}

/** The number of the first page that does not lie before the span. */
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

/** How a list is sorted as far as it was read; `unknown` when all times are the same, `none` when they go up and down. */
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
