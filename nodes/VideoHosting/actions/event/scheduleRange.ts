import type { IDataObject } from 'n8n-workflow';

import { toTimeInWorkflow } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import { scheduledTimeIn } from '../../service/events';
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
 * The events that are scheduled in a range, sorted by their schedule unless another order was requested.
 *
 * @throws NodeOperationError when no event has a date that can be read
 */
export function eventsInRange(
	item: Item,
	events: IDataObject[],
	{
		from,
		before,
		orderBy = 'date',
		orderType = 'ASC',
	}: ScheduleRange & { orderBy?: string; orderType?: string },
): IDataObject[] {
	const timeOf = scheduledTimeIn(item.context.getTimezone());
	const dated = events.map((event) => ({ event, time: timeOf(event) ?? NaN }));
	if (events.length > 0 && dated.every(({ time }) => Number.isNaN(time)))
		throw item.error(
			'No event of this plan has a readable date, so Scheduled After and Scheduled Before cannot be applied',
			'Remove these filters, and check the output.',
		);
	const inRange = dated.filter(({ time }) => time >= from && time < before);
	const sign = /^desc/i.test(orderType) ? -1 : 1;
	if (orderBy === 'date') inRange.sort((one, other) => sign * (one.time - other.time));
	return inRange.map(({ event }) => event);
}
