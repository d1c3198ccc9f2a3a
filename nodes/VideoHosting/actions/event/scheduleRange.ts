import type { IDataObject } from 'n8n-workflow';

import { toTimeInWorkflow } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import { scheduledTimeIn } from '../../service/events';
import { dateScheduledOf, eventHashOf, eventTitleOf } from '../../service/recordFields';
import type { Item } from '../item';

/** Milliseconds since 1970: `from` is in the range, `before` is not. */
interface ScheduleRange {
	from: number;
	before: number;
}

export const scheduledAfterFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled After',
	name: 'scheduledAfter',
	collection: 'filters',
	placeholder: 'e.g. 2026-12-24 00:00:00',
	description:
		'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
});

export const scheduledBeforeFilter = date(toTimeInWorkflow, {
	displayName: 'Scheduled Before',
	name: 'scheduledBefore',
	collection: 'filters',
	placeholder: 'e.g. 2026-12-31 00:00:00',
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
 * The events that are scheduled in a range. An event without a date is in no range.
 *
 * @param sortedByDate `ASC` or `DESC`; undefined for the order of the list
 * @throws NodeOperationError when the date of an event cannot be read, or no event has one
 */
export function eventsInRange(
	item: Item,
	events: IDataObject[],
	{ from, before }: ScheduleRange,
	sortedByDate: string | undefined,
): IDataObject[] {
	const timeOf = scheduledTimeIn(item.context.getTimezone());
	const dated = events
		.filter((event) => dateScheduledOf(event) !== undefined)
		.map((event) => ({ event, time: timeOf(event) }));
	const unreadable = dated.find(({ time }) => time === undefined)?.event;
	if (unreadable || (events.length > 0 && dated.length === 0)) {
		const problem = unreadable
			? `The event "${eventTitleOf(unreadable) ?? eventHashOf(unreadable)}" has the date "${dateScheduledOf(unreadable)}", which cannot be read`
			: 'The events have no date';
		throw item.error(
			`${problem}, so Scheduled After and Scheduled Before cannot be applied`,
			'Remove these filters.',
		);
	}
	const inRange = dated.filter(({ time = NaN }) => time >= from && time < before);
	const sign = sortedByDate?.toUpperCase() === 'DESC' ? -1 : 1;
	if (sortedByDate !== undefined) inRange.sort((one, other) => sign * ((one.time ?? 0) - (other.time ?? 0)));
	return inRange.map(({ event }) => event);
}
