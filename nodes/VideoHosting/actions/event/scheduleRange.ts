import { type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { toTimeInWorkflow } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import { eventPages, type EventListQuery } from '../../service/eventPages';
import { scheduledTimeIn } from '../../service/events';
import { firstRecords, type PageReader } from '../../service/paging';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../../service/recordFields';
import { readTimeRange } from '../../service/timeSortedList';
import type { Item } from '../item';

/** Milliseconds since the epoch: `from` is in the range, `before` is not. */
export interface ScheduleRange {
	from: number;
	before: number;
}

export const scheduledAfterFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled After',
	name: 'scheduledAfter',
	collection: 'filters',
	description:
		'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
});

export const scheduledBeforeFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled Before',
	name: 'scheduledBefore',
	collection: 'filters',
	description:
		'Return only events scheduled before this time; a date alone is the beginning of that day. A date without an offset is interpreted in the time zone of the workflow.',
});

/**
 * The filters Scheduled After and Scheduled Before; undefined when both are empty.
 *
 * @throws NodeOperationError when one is not a date, or no time is between them
 */
export function scheduleRange(item: Item): ScheduleRange | undefined {
	const from = item.read(scheduledAfterFilter);
	const before = item.read(scheduledBeforeFilter);
	if (from === undefined && before === undefined) return undefined;
	if (from !== undefined && before !== undefined && from >= before)
		throw item.error('Scheduled After must be earlier than Scheduled Before');
	return { from: from ?? -Infinity, before: before ?? Infinity };
}

/**
 * The first events of a plan that are scheduled in a range: in the order of their schedule, or of the field that the list is
 * sorted by. Pages outside the range are left out only where the order of the list is proven. An event without a date is
 * not in any range.
 *
 * @param limit of the number of events
 * @param matches further condition; called once for each event that may be in the range
 * @throws NodeApiError when a page cannot be read; NodeOperationError when the date of an event cannot be read, or no event
 * has one
 */
export async function eventsInRange(
	item: Item,
	query: EventListQuery,
	{ from, before }: ScheduleRange,
	limit: number,
	matches: (event: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const timeOf = scheduledTimeIn(item.context.getTimezone());
	const events = { read: 0, dated: 0 };
	let unreadable: IDataObject | undefined;
	const results = new Map<IDataObject, boolean>();
	const isWanted = (event: IDataObject) => {
		const known = results.get(event);
		if (known !== undefined) return known;
		const time = timeOf(event);
		events.read++;
		if (time !== undefined) events.dated++;
		const isInRange =
			time === undefined ? dateScheduledOf(event) !== undefined : time >= from && time < before;
		const isMatch = isInRange && matches(event);
		if (isMatch && time === undefined) unreadable ??= event;
		results.set(event, isMatch);
		return isMatch;
	};
	const found = await firstInRange(item.context, query, { from, before, timeOf }, limit, isWanted);
	if (events.read > 0 && events.dated === 0) throw rangeError(item, 'The events have no readable date');
	if (!unreadable) return found;
	const name = eventTitleOf(unreadable) ?? eventHashOf(unreadable) ?? 'without a title';
	const date = dateScheduledOf(unreadable) ?? '';
	throw rangeError(item, `The event "${name}" has the date "${date}", which cannot be read`);
}

async function firstInRange(
	context: IExecuteFunctions,
	query: EventListQuery,
	{ from, before, timeOf }: ScheduleRange & { timeOf: (event: IDataObject) => number | undefined },
	limit: number,
	isWanted: (event: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const { orderBy = 'date', orderType = 'ASC' } = query;
	if (orderBy !== 'date') return await firstRecords(eventPages(context, query), limit, isWanted);
	const isAscending = !/^d/i.test(orderType);
	const pages = (direction: string): PageReader => eventPages(context, { ...query, orderType: direction });
	const atMost = { count: limit, matches: isWanted };
	if (isAscending && from === -Infinity) {
		// The range has no beginning, so the list is read from there: the same as the newest first of negative times.
		const negative = (value: number | undefined) => (value === undefined ? undefined : -value);
		const ascending = {
			newestFirst: pages(orderType),
			defaultOrder: pages(orderType),
			timeOf: (event: IDataObject) => negative(timeOf(event)),
			idOf: (event: IDataObject) => negative(eventIdOf(event)),
		};
		const { records } = await readTimeRange(ascending, { from: () => 1 - before, atMost });
		return records.reverse().filter(isWanted).slice(0, limit);
	}
	const list = { newestFirst: pages('DESC'), defaultOrder: pages('ASC'), timeOf, idOf: eventIdOf };
	const { records } = await readTimeRange(
		list,
		isAscending ? { from: () => from } : { from: () => from, atMost },
	);
	return (isAscending ? records : records.reverse()).filter(isWanted).slice(0, limit);
}

function rangeError(item: Item, problem: string) {
	return item.error(
		`${problem}, so Scheduled After and Scheduled Before cannot be applied`,
		'Remove these filters.',
	);
}
