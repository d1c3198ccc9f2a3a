import type { IDataObject } from 'n8n-workflow';

import { hasStatus } from '../transport/errors';
import { uniqueRecords, type PageReader } from './paging';

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

/** A list that the service can sort by a time in its records. */
export interface TimeSortedList {
	/** Pages with the newest record first, as far as the service supports that (docs/api-reference.md). */
	newestFirst: PageReader;
	/** Pages in the documented order, for a service that rejects the other one. */
	defaultOrder: PageReader;
	/** Milliseconds since the epoch; undefined when the record has none. */
	timeOf: (record: IDataObject) => number | undefined;
	/** A number that grows with every record that is created, of a list that the service may sort by creation instead of the time. */
	idOf?: (record: IDataObject) => number | undefined;
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
			if (!hasStatus(error, /^(400|422)$/)) throw error;
			accepted = defaultOrder;
			return await defaultOrder(page);
		});
		accepted ??= newestFirst;
		return records;
	};
}

/** How often the values of neighboring records rise and fall; `last` is the latest one. */
interface Trend {
	rises: number;
	falls: number;
	last?: number;
}

/**
 * What readings of a list have proven about its order: small, and JSON, so that a trigger can keep it in its state.
 *
 * A list requested by its time may be sorted by creation instead. It is proven to be sorted by the time when the times of
 * its records only fall while their IDs rise and fall, which no order of creation shows. As long as IDs and times agree in
 * the whole list, both orders are possible: a record created later then comes first or where its time belongs, so that
 * the known ones still show when everything newer was read.
 */
export interface ListOrder {
	/**
	 * Records with an ID up to this are listed by time, the newest first, and no record with a larger ID comes after one of them
	 * unless its time belongs there. Undefined while nothing is proven.
	 */
	sortedUpTo?: number;
	/** The order of the pages in front of `nextPage`, for the reading that continues there. */
	seen?: OrderOfPages;
}

export interface OrderOfPages {
	times: Trend;
	ids: Trend;
	maxId?: number;
}

/** Fewer times may fall by accident: ten different ones do so once in 3.6 million. */
const PROVING_FALLS = 9;

const newTrend = (): Trend => ({ rises: 0, falls: 0 });

function add(trend: Trend, value: number): void {
	const { last = value } = trend;
	if (value > last) trend.rises++;
	if (value < last) trend.falls++;
	trend.last = value;
}

/** The ID up to which the pages prove the order by themselves, see {@link ListOrder}. */
function provenBy({ times, ids, maxId }: OrderOfPages, isWhole: boolean, hasIds: boolean) {
	if (times.falls < PROVING_FALLS || times.rises > 0) return undefined;
	if (!hasIds || (ids.rises > 0 && ids.falls > 0)) return Number.MAX_SAFE_INTEGER;
	return isWhole && ids.falls > 0 ? maxId : undefined;
}

/** A time range, milliseconds since the epoch. `from` may depend on the newest record of the first page that is read. */
export interface TimeRange {
	from: (newest: number) => number;
	/** Records to read even if they are older than `from`. */
	atLeast?: number;
	/** Number of records that are enough, the newest first: older ones are not wanted. */
	atMost?: { count: number; matches: (record: IDataObject) => boolean };
}

/** The part of a list that lies in a time range. */
export interface TimeRangeResult extends ListResult {
	/**
	 * Every record of this time or later was read: milliseconds since the epoch, `-Infinity` when the list was read to its end.
	 * Undefined when there was no time left.
	 */
	completeFrom?: number;
	/** What is proven about the order now, for the next reading. */
	order: ListOrder;
}

/**
 * Reads a list from its newest record until records are older than a time range. Pages are left out only while the order of
 * the list is proven ({@link ListOrder}), by what was read or by an earlier reading; any other list is read to its end.
 *
 * @param known what earlier readings of the same list have proven
 * @returns all records that were read, those outside the range as well, oldest first; records without a time come last
 * @throws NodeApiError when a page cannot be read
 */
export async function readTimeRange(
	list: TimeSortedList,
	{ from, atLeast = 0, atMost }: TimeRange,
	limits: ReadLimits = WHOLE_LIST,
	known: ListOrder = {},
): Promise<TimeRangeResult> {
	const { timeOf, idOf = () => 0 } = list;
	// Copied: a poll that fails leaves its state unchanged.
	const seen: OrderOfPages = structuredClone(known.seen ?? { times: newTrend(), ids: newTrend() });
	const times = new Map<IDataObject, number>();
	let { sortedUpTo } = known;
	const timesUpTo = newTrend();
	let start: number | undefined;
	let completeFrom = -Infinity;
	let read = 0;
	let matching = 0;

	const isEnough = (fresh: IDataObject[]): boolean => {
		for (const record of fresh) {
			const time = timeOf(record);
			if (time === undefined) continue;
			times.set(record, time);
			const id = idOf(record);
			add(seen.times, time);
			if (id === undefined) continue;
			add(seen.ids, id);
			seen.maxId = Math.max(seen.maxId ?? id, id);
			if (id <= (known.sortedUpTo ?? -Infinity)) add(timesUpTo, time);
		}
		read += fresh.length;
		matching += atMost ? fresh.filter(atMost.matches).length : 0;
		start ??= from(Math.max(...times.values()));
		sortedUpTo =
			provenBy(seen, false, list.idOf !== undefined) ?? (timesUpTo.rises > 0 ? undefined : known.sortedUpTo);
		if (sortedUpTo === undefined || read < atLeast) return false;
		const upTo = sortedUpTo;
		const oldest = Math.min(
			...fresh.flatMap((record) => ((idOf(record) ?? Infinity) <= upTo ? (times.get(record) ?? []) : [])),
		);
		const isFull = atMost !== undefined && matching >= atMost.count && upTo === Number.MAX_SAFE_INTEGER;
		if (oldest >= start && !isFull) return false;
		// The next page may begin with a record of the same time.
		completeFrom = oldest + 1;
		return true;
	};

	const { records, nextPage } = await readPages(newestFirstIfSupported(list), limits, isEnough);
	const sorted = oldestFirst(records, times, seen);
	if (nextPage !== undefined) return { records: sorted, nextPage, order: { sortedUpTo, seen } };
	const isWhole = completeFrom === -Infinity && (limits.firstPage === 1 || known.seen !== undefined);
	if (isWhole) sortedUpTo = provenBy(seen, true, list.idOf !== undefined);
	// New records that were read in the order of their times belong to the sorted ones from now on.
	else if (sortedUpTo !== undefined && seen.times.rises === 0)
		sortedUpTo = Math.max(sortedUpTo, seen.maxId ?? 0);
	return { records: sorted, completeFrom, order: sortedUpTo === undefined ? {} : { sortedUpTo } };
}

function oldestFirst(
	records: IDataObject[],
	times: ReadonlyMap<IDataObject, number>,
	seen: OrderOfPages,
): IDataObject[] {
	const timeOf = (record: IDataObject) => times.get(record) ?? Infinity;
	// Records of the same time stay in the order of the list.
	const listed = seen.times.rises > 0 ? records : records.toReversed();
	return listed.toSorted((a, b) => timeOf(a) - timeOf(b) || 0);
}
