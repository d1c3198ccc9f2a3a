import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { eventPages, type EventListQuery } from '../../service/eventPages';
import { scheduledTimeIn } from '../../service/events';
import { firstRecords, type PageReader } from '../../service/paging';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../../service/recordFields';
import { readTimeRange } from '../../service/timeSortedList';
import { invalidParameter, toTimeIn, type ItemParameters } from '../parameters';

/** Milliseconds since the epoch: `from` is in the range, `before` is not. */
export interface ScheduleRange {
	from: number;
	before: number;
}

export const scheduledAfterFilter: INodeProperties = {
	displayName: 'Scheduled After',
	name: 'scheduledAfter',
	type: 'dateTime',
	default: '',
	description:
		'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
};

export const scheduledBeforeFilter: INodeProperties = {
	displayName: 'Scheduled Before',
	name: 'scheduledBefore',
	type: 'dateTime',
	default: '',
	description:
		'Return only events scheduled before this time; a date alone is the beginning of that day. A date without an offset is interpreted in the time zone of the workflow.',
};

/**
 * The filters Scheduled After and Scheduled Before; undefined when both are empty.
 *
 * @throws NodeOperationError when one is not a date, or no time is between them
 */
export function scheduleRange({ context, filter, itemIndex }: ItemParameters): ScheduleRange | undefined {
	const toTime = toTimeIn(context.getTimezone());
	const from = filter(scheduledAfterFilter, toTime);
	const before = filter(scheduledBeforeFilter, toTime);
	if (from === undefined && before === undefined) return undefined;
	if (from !== undefined && before !== undefined && from >= before)
		throw invalidParameter(context, itemIndex, 'Scheduled After must be earlier than Scheduled Before');
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
	context: IExecuteFunctions,
	query: EventListQuery,
	{ from, before }: ScheduleRange,
	limit: number,
	matches: (event: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const timeOf = scheduledTimeIn(context.getTimezone());
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
	const found = await firstInRange(context, query, { from, before, timeOf }, limit, isWanted);
	if (events.read > 0 && events.dated === 0)
		throw rangeError(context, query, 'The events have no readable date');
	if (!unreadable) return found;
	const name = eventTitleOf(unreadable) ?? eventHashOf(unreadable) ?? 'without a title';
	const date = dateScheduledOf(unreadable) ?? '';
	throw rangeError(context, query, `The event "${name}" has the date "${date}", which cannot be read`);
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

function rangeError(context: IExecuteFunctions, { itemIndex }: EventListQuery, problem: string) {
	return new NodeOperationError(
		context.getNode(),
		`${problem}, so Scheduled After and Scheduled Before cannot be applied`,
		{ itemIndex, description: 'Remove these filters.' },
	);
}
