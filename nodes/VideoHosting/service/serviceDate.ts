import { inZone, toDate, type DateValue } from '../parameters/dates';

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
