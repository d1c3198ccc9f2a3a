import type { IDataObject } from 'n8n-workflow';

import { DATE_NUMBERS, toDate, type DateValue } from '../parameters/dates';
import { toInstant } from '../parameters/timeZones';
import { videoCreatedOf } from './recordFields';

/** An English month and a zone: nothing in such a text depends on the order of day and month or on the process. */
const HTTP_DATE =
	/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*(\bGMT\b|\bUTC\b|\d:\d{2}\s*[+-]\d{2}:?\d{2}\b)/i;

/**
 * A date in a record of the service, which writes `YYYY-MM-DD HH:mm:ss` when an event is created (docs/api-reference.md#event).
 * Also accepted: ISO 8601, seconds or milliseconds since the epoch, and the form of HTTP headers (RFC 9110 §5.6.7). Undefined
 * for anything else, among it `01/05/2030`, whose day and month are ambiguous.
 */
export function parseServiceDate(text: string): DateValue | undefined {
	const trimmed = text.trim();
	if (/^\d+(\.\d+)?$/.test(trimmed)) {
		// The seconds of these years are less than the milliseconds.
		const time = [1, 1000].map((unit) => Math.trunc(Number(trimmed) * unit)).find(isDateNumber);
		return time === undefined ? undefined : { kind: 'instant', time };
	}
	if (HTTP_DATE.test(trimmed)) {
		const time = Date.parse(trimmed);
		return Number.isNaN(time) ? undefined : { kind: 'instant', time };
	}
	try {
		return toDate('Date', trimmed);
	} catch {
		return undefined;
	}
}

/**
 * The moment of a date in a record, in milliseconds since the epoch; undefined when {@link parseServiceDate} cannot read it.
 *
 * @param timeZone of a date without an offset
 */
export function serviceTime(text: string | undefined, timeZone: string): number | undefined {
	const date = text === undefined ? undefined : parseServiceDate(text);
	return date?.kind === 'local' ? toInstant(date.local, timeZone) : date?.time;
}

/**
 * When a video was created, in milliseconds since the epoch; undefined when its record does not contain a readable date. One
 * without an offset is in UTC, as the timestamps of folders are (docs/api-reference.md#gallery).
 */
export function createdTimeOf(video: IDataObject): number | undefined {
	return serviceTime(videoCreatedOf(video), 'UTC');
}

function isDateNumber(time: number): boolean {
	return time >= DATE_NUMBERS.from && time < DATE_NUMBERS.to;
}
