import type { IDataObject } from 'n8n-workflow';

import { inZone, toDate, type DateValue } from '../parameters/dates';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import { createdDateOf, dateScheduledOf } from './recordFields';

/**
 * A date in a record of the service, which writes `YYYY-MM-DD HH:mm:ss` when an event is created (docs/api-reference.md#event).
 * Also accepted: ISO 8601, and seconds or milliseconds since 1970. Undefined for anything else, such as `01/05/2030`.
 */
export function parseServiceDate(text: string): DateValue | undefined {
	const number = /^\s*(\d{10}|\d{13})\s*$/.exec(text)?.[1]?.padEnd(13, '0');
	try {
		return toDate('Date', number === undefined ? text : Number(number));
	} catch {
		return undefined;
	}
}

/**
 * The moment of a date in a record, in milliseconds since 1970; undefined when {@link parseServiceDate} cannot read it.
 *
 * @param timeZone of a date without an offset
 */
export function serviceTime(text: string | undefined, timeZone: string): number | undefined {
	const date = text === undefined ? undefined : parseServiceDate(text);
	return date && inZone(date, timeZone).toMillis();
}

/** When an event takes place, in milliseconds since 1970; undefined without a readable date. */
export function scheduledTimeOf(event: IDataObject, timeZone: string): number | undefined {
	return serviceTime(dateScheduledOf(event), timeZone);
}

/** Milliseconds since 1970: `from` is in the range, `before` is not. */
export interface ScheduleRange {
	from: number;
	before: number;
	/** The parameters that ask for it, for a message. */
	label: string;
}

/**
 * The events that are scheduled in a range, each with its time in milliseconds since 1970. An event without a readable date is in no
 * range.
 *
 * @throws NodeOperationError when no event has such a date
 */
export function eventsInRange(
	context: ServiceContext,
	events: readonly IDataObject[],
	{ from, before, label }: ScheduleRange,
	timeZone: string,
): Array<{ event: IDataObject; time: number }> {
	const dated = events.flatMap((event) => {
		const time = scheduledTimeOf(event, timeZone);
		return time === undefined ? [] : [{ event, time }];
	});
	if (dated.length === 0 && events.length > 0)
		throw operationError(
			context,
			`No event of this plan has a readable date, so ${label} cannot be applied`,
			'Check the output of Event → Get Many without filters.',
		);
	return dated.filter(({ time }) => time >= from && time < before);
}

/**
 * When a video was created, in milliseconds since 1970; undefined when its record does not contain a readable date. One
 * without an offset is in UTC, as the timestamps of folders are (docs/api-reference.md#gallery).
 */
export function createdTimeOf(video: IDataObject): number | undefined {
	return serviceTime(createdDateOf(video), 'UTC');
}
