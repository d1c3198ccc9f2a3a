import type { IDataObject } from 'n8n-workflow';

import { toFilterText } from '../parameters/dates';
import { dateScheduledOf, eventHashOf, eventTitleOf } from '../service/recordFields';
import { parseServiceDate } from '../service/serviceDate';

/** A name, and in parentheses what is known besides it. */
export function entryName(name: string, details: Array<string | undefined>): string {
	const known = details.filter((detail) => detail !== undefined);
	return known.length > 0 ? `${name} (${known.join(', ')})` : name;
}

/**
 * An event as a list of the editor shows it: title and local time. The status is left out, because n8n stores this name
 * with the picked event, and the status changes.
 */
export function eventEntryName(event: IDataObject, timeZone: string): string {
	const date = dateScheduledOf(event);
	const title = eventTitleOf(event) ?? eventHashOf(event) ?? 'Event without a title';
	return entryName(title, [date === undefined ? undefined : localTime(date, timeZone)]);
}

/**
 * A date of the service as `YYYY-MM-DD HH:mm`. One with an offset is converted to the time zone, which then follows; what is
 * not a date is returned unchanged.
 */
export function localTime(text: string, timeZone: string): string {
	const date = parseServiceDate(text);
	if (!date) return text;
	const shown = toFilterText(date, timeZone).slice(0, 16);
	return date.kind === 'instant' ? `${shown} ${timeZone}` : shown;
}
