// For the rooms trigger and upload until they use service/paging.ts; see lists.ts.
import type { IDataObject } from 'n8n-workflow';

import { hasStatus } from '../../transport/errors';
import {
	readPages,
	uniqueRecords,
	WHOLE_LIST,
	type ListResult,
	type PageReader,
	type ReadLimits,
} from './paging';

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

/**
 * What readings of a list have proven about its order: small, and JSON, so that a trigger can keep it in its state.
 *
 * A list requested by its time may be sorted by creation instead. It is proven to be sorted by the time when the times of
 * its records only fall while several have several lower IDs in front of them, and several have higher ones: no order of creation
 * shows that, though some of its IDs may be swapped or imported. As long as IDs and times agree in the whole list, both orders are possible: a record created later
 * then comes first or where its time belongs, so that the known ones still show when everything newer was read. Only a record
 * that got another time may be behind them, so that the whole list is read again after an hour.
 */
export interface ListOrder {
	/**
	 * Records with an ID up to this are listed by time, the newest first, and no record with a larger ID comes after one of them
	 * unless its time belongs there. Undefined while nothing is proven.
	 */
	sortedUpTo?: number;
	/** When the whole list was read, in milliseconds since the epoch; undefined where that need not be repeated. */
	wholeAt?: number;
	/** The order of the pages in front of `nextPage`, for the reading that continues there. */
	seen?: OrderOfPages;
}

/** How the times and the IDs of records follow each other. A few IDs that are out of order do not change what is counted of them. */
interface OrderOfPages {
	/** How often the times of neighboring records rise and fall, and the latest time. */
	rises: number;
	falls: number;
	last?: number;
	/** The lowest and the highest IDs so far, up to {@link SEVERAL}. */
	lowest: number[];
	highest: number[];
	/** Number of records with several lower IDs in front of them, and with several higher ones. */
	afterLower: number;
	afterHigher: number;
}

const NOTHING_READ: OrderOfPages = {
	rises: 0,
	falls: 0,
	lowest: [],
	highest: [],
	afterLower: 0,
	afterHigher: 0,
};

/** Fewer times may fall by accident: ten different ones do so once in 3.6 million. */
const PROVING_FALLS = 9;
/** IDs that are swapped or imported are fewer, or less far from their place. */
const SEVERAL = 4;
/** The value of `sortedUpTo` of a list that is sorted by time beyond doubt. */
const SORTED = Number.MAX_SAFE_INTEGER;
const READ_AGAIN_MS = 60 * 60 * 1000;

function add(seen: OrderOfPages, time: number, id: number | undefined): void {
	const { last = time, lowest, highest } = seen;
	if (time > last) seen.rises++;
	if (time < last) seen.falls++;
	seen.last = time;
	if (id === undefined) return;
	if ((lowest[SEVERAL - 1] ?? Infinity) < id) seen.afterLower++;
	if ((highest[SEVERAL - 1] ?? -Infinity) > id) seen.afterHigher++;
	seen.lowest = [...lowest, id].sort((a, b) => a - b).slice(0, SEVERAL);
	seen.highest = [...highest, id].sort((a, b) => b - a).slice(0, SEVERAL);
}

/** The ID up to which the pages prove the order by themselves, see {@link ListOrder}. */
function provenBy(seen: OrderOfPages, isWhole: boolean, hasIds: boolean): number | undefined {
	const { rises, falls, highest, afterLower, afterHigher } = seen;
	if (falls < PROVING_FALLS || rises > 0) return undefined;
	if (!hasIds || (afterLower >= SEVERAL && afterHigher >= SEVERAL)) return SORTED;
	return isWhole && afterHigher > afterLower ? highest[0] : undefined;
}

/** What an earlier reading has proven and is still known. */
function stillProven(order: ListOrder): ListOrder {
	const { sortedUpTo, wholeAt = 0, seen } = order;
	const isKnown = sortedUpTo === SORTED || Math.abs(Date.now() - wholeAt) < READ_AGAIN_MS;
	return isKnown ? order : { seen };
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
 * @param earlier what earlier readings of the same list have proven
 * @returns all records that were read, those outside the range as well, oldest first; records without a time come last
 * @throws NodeApiError when a page cannot be read
 */
export async function readTimeRange(
	list: TimeSortedList,
	{ from, atLeast = 0, atMost }: TimeRange,
	limits: ReadLimits = WHOLE_LIST,
	earlier: ListOrder = {},
): Promise<TimeRangeResult> {
	const { timeOf, idOf = () => 0 } = list;
	const known = stillProven(earlier);
	// Copied: a poll that fails leaves its state unchanged.
	const seen = structuredClone(known.seen ?? NOTHING_READ);
	const times = new Map<IDataObject, number>();
	let { sortedUpTo } = known;
	let lastUpTo = Infinity;
	let isBroken = false;
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
			add(seen, time, id);
			if ((id ?? Infinity) > (known.sortedUpTo ?? -Infinity)) continue;
			isBroken ||= time > lastUpTo;
			lastUpTo = time;
		}
		read += fresh.length;
		matching += atMost ? fresh.filter(atMost.matches).length : 0;
		start ??= from(Math.max(...times.values()));
		sortedUpTo = provenBy(seen, false, list.idOf !== undefined) ?? (isBroken ? undefined : known.sortedUpTo);
		if (sortedUpTo === undefined || read < atLeast) return false;
		const upTo = sortedUpTo;
		const oldest = Math.min(
			...fresh.flatMap((record) => ((idOf(record) ?? Infinity) <= upTo ? (times.get(record) ?? []) : [])),
		);
		const isFull = atMost !== undefined && matching >= atMost.count && upTo === SORTED;
		if (oldest >= start && !isFull) return false;
		// The next page may begin with a record of the same time.
		completeFrom = oldest + 1;
		return true;
	};

	const { records, nextPage } = await readPages(newestFirstIfSupported(list), limits, isEnough);
	const sorted = oldestFirst(records, times, seen);
	const { wholeAt } = known;
	if (nextPage !== undefined) return { records: sorted, nextPage, order: { sortedUpTo, wholeAt, seen } };
	const isWhole = completeFrom === -Infinity && (limits.firstPage === 1 || known.seen !== undefined);
	if (isWhole) sortedUpTo = provenBy(seen, true, list.idOf !== undefined);
	// New records that were read in the order of their times belong to the sorted ones from now on.
	else if (sortedUpTo !== undefined && seen.rises === 0)
		sortedUpTo = Math.max(sortedUpTo, seen.highest[0] ?? 0);
	const order = sortedUpTo === undefined ? {} : { sortedUpTo, wholeAt: isWhole ? Date.now() : wholeAt };
	return { records: sorted, completeFrom, order };
}

function oldestFirst(
	records: IDataObject[],
	times: ReadonlyMap<IDataObject, number>,
	seen: OrderOfPages,
): IDataObject[] {
	const timeOf = (record: IDataObject) => times.get(record) ?? Infinity;
	// Records of the same time stay in the order of the list.
	const listed = seen.rises > 0 ? records : records.toReversed();
	return listed.toSorted((a, b) => timeOf(a) - timeOf(b) || 0);
}

/**
 * The newest record that matches. While the list really comes newest first, no page is read after the one that has it.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function newestRecord(
	list: TimeSortedList,
	matches: (record: IDataObject) => boolean,
): Promise<IDataObject | undefined> {
	let newest: IDataObject | undefined;
	let isNewestFirst = false;
	let previous: number | undefined;
	for await (const records of uniqueRecords(newestFirstIfSupported(list))) {
		for (const record of records) {
			const time = list.timeOf(record);
			if (time !== undefined && previous !== undefined) isNewestFirst ||= time < previous;
			previous = time ?? previous;
			if (matches(record) && !(newest && isOlder(time, list.timeOf(newest)))) newest = record;
		}
		if (newest && isNewestFirst) break;
	}
	return newest;
}

function isOlder(time: number | undefined, than: number | undefined): boolean {
	return than !== undefined && (time === undefined || time < than);
}
