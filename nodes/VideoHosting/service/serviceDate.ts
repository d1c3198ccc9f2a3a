import type { IDataObject } from 'n8n-workflow';

import { type DateValue, toDate, toInstant } from '../parameters/dates';
import { createdDateOf } from './recordFields';

/**
 * A date in a record of the service, which writes `YYYY-MM-DD HH:mm:ss` when an event is created (docs/api-reference.md#event).
 * Also accepted: ISO 8601, and seconds or milliseconds since 1970. Undefined for anything else, such as `01/05/2030`.
 */
export function parseServiceDate(text: string): DateValue | undefined {
	const trimmed = text.trim();
	if (/^(\d{10}|\d{13})$/.test(trimmed)) return { kind: 'instant', time: Number(trimmed.padEnd(13, '0')) };
	try {
		return toDate('Date', trimmed);
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
	return date?.kind === 'local' ? toInstant(date.local, timeZone) : date?.time;
}

/**
 * When a video was created, in milliseconds since 1970; undefined when its record does not contain a readable date. One
 * without an offset is in UTC, as the timestamps of folders are (docs/api-reference.md#gallery).
 */
export function createdTimeOf(video: IDataObject): number | undefined {
	return serviceTime(createdDateOf(video), 'UTC');
}
