import { DATE_NUMBERS, toDate, type DateValue } from '../parameters/dates';

/** An English month and a zone: nothing in such a text depends on the order of day and month or on the process. */
const HTTP_DATE =
	/\b(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\b.*(\bGMT\b|\bUTC\b|[+-]\d{2}:?\d{2})/i;

/**
 * A date in a record of the service, which writes `YYYY-MM-DD HH:mm:ss` when an event is created (docs/api-reference.md#event).
 * Also accepted: ISO 8601, milliseconds since the epoch, and the form of HTTP headers (RFC 9110 §5.6.7). Undefined for
 * anything else, among it `01/05/2030`, whose day and month are ambiguous.
 */
export function parseServiceDate(text: string): DateValue | undefined {
	const trimmed = text.trim();
	if (/^\d+$/.test(trimmed)) {
		const time = Number(trimmed);
		return time >= DATE_NUMBERS.from && time < DATE_NUMBERS.to ? { kind: 'instant', time } : undefined;
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
