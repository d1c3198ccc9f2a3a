import { type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { toTimeInWorkflow } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import { eventPages, type EventListQuery } from '../../service/eventPages';
import { scheduledTimeIn } from '../../service/events';
import { firstRecords } from '../../service/paging';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../../service/recordFields';
import { readTimeRange } from '../../service/timeSortedList';
import type { Item } from '../item';

/** Milliseconds since the epoch: `from` is in the range, `before` is not. */
interface ScheduleRange {
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
 * @param matches further condition
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
	const times = new Map<IDataObject, number | undefined>();
	const isWanted = (event: IDataObject) => {
		const time = timeOf(event);
		times.set(event, time);
		const isInRange =
			time === undefined ? dateScheduledOf(event) !== undefined : time >= from && time < before;
		return isInRange && matches(event);
	};
	const found = await firstInRange(item.context, query, { from, before, timeOf }, limit, isWanted);
	const undated = [...times.keys()].filter((event) => times.get(event) === undefined);
	if (times.size > 0 && undated.length === times.size)
		throw rangeError(item, 'The events have no readable date');
	const unreadable = undated.find(isWanted);
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
	const pages = (direction: string) => eventPages(context, { ...query, orderType: direction });
	const isDescending = /^d/i.test(orderType);
	// A range without a beginning is read from there: the same as the newest first of negative times.
	const isNegative = !isDescending && from === -Infinity;
	const signed = (numberOf: (event: IDataObject) => number | undefined) => (event: IDataObject) => {
		const value = numberOf(event);
		return isNegative && value !== undefined ? -value : value;
	};
	const list = {
		newestFirst: pages(isNegative ? orderType : 'DESC'),
		defaultOrder: pages(isNegative ? orderType : 'ASC'),
		timeOf: signed(timeOf),
		idOf: signed(eventIdOf),
	};
	const endsAtLimit = isDescending || isNegative;
	const { records } = await readTimeRange(list, {
		from: () => (isNegative ? 1 - before : from),
		...(endsAtLimit ? { atMost: { count: limit, matches: isWanted } } : {}),
	});
	return (endsAtLimit ? records.reverse() : records).filter(isWanted).slice(0, limit);
}

function rangeError(item: Item, problem: string) {
	return item.error(
		`${problem}, so Scheduled After and Scheduled Before cannot be applied`,
		'Remove these filters.',
	);
}
