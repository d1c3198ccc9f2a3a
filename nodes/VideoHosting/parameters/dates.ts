import type { Entered } from './field';
import { isTimeZone, localTimeIn, toInstant, toInstants, WORKFLOW_TIME_ZONE } from './timeZones';
import { InvalidParameterError, isEmpty, quoted, timeOfDateObject, toText, unexpectedType } from './values';

/**
 * A date that a parameter accepts: an instant, or a local time whose zone is still to be named. `time` is in milliseconds
 * since the epoch; `local` is the instant that has this local time in UTC.
 */
export type DateValue =
	{ kind: 'instant'; time: number } | { kind: 'local'; local: number; hasTime: boolean; text: string };

/** ISO 8601 with hyphens and colons; `T` or a space, one digit for the hour, seconds, fractions and offset optional. */
const ISO_DATE =
	/^(\d{4}-\d{2}-\d{2})(?:[Tt ](\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)? ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const EXAMPLES = 'such as 2026-12-24, 2026-12-24 18:00 or 2026-12-24T18:00:00Z.';
/** The zones of the world are between -12:00 and +14:00. */
const LARGEST_OFFSET_MINUTES = 14 * 60;
/**
 * 2000-01-01 and 2200-01-01 in milliseconds since the epoch. Numbers outside of this range are another unit, or digits such as
 * 202612241800.
 */
export const DATE_NUMBERS = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2200, 0, 1) };

/**
 * A date: an ISO 8601 text with or without an offset, a date alone, an n8n DateTime, a JavaScript Date, or a number of
 * milliseconds since the epoch. Nothing depends on the time zone of the process. Undefined when empty.
 *
 * @throws InvalidParameterError for anything else, and for a date that does not exist
 */
export function toDate(label: string, value: unknown): DateValue | undefined {
	if (isEmpty(value)) return undefined;
	if (typeof value === 'number' && !Number.isNaN(value))
		return { kind: 'instant', time: timeOfNumber(label, value) };
	const time = timeOfDateObject(value);
	if (time !== undefined && !Number.isNaN(time)) return { kind: 'instant', time };
	if (typeof value !== 'string') throw unexpectedType(label, value, 'a date');
	const text = value.trim();
	const date = parsedDate(text);
	if (date) return date;
	const problem = ISO_DATE.test(text)
		? 'is a date that does not exist'
		: 'is not a date in a format that this node reads';
	const more = /^\d+$/.test(text) ? ' Milliseconds since 1970 must be a number, not text.' : '';
	throw new InvalidParameterError(`${label} ${quoted(text)} ${problem}`, `Enter one ${EXAMPLES}${more}`);
}

function timeOfNumber(label: string, value: number): number {
	if (Number.isInteger(value) && value >= DATE_NUMBERS.from && value < DATE_NUMBERS.to) return value;
	throw new InvalidParameterError(
		`${label} ${value} is not a date: a number is read as milliseconds since 1970, and this one could be seconds or another unit`,
		`Multiply seconds by 1000, or enter a date ${EXAMPLES}`,
	);
}

function parsedDate(text: string): DateValue | undefined {
	const parts = ISO_DATE.exec(text);
	if (!parts) return undefined;
	// Groups that are not in the text are undefined.
	const [, day = '', hour, minute = '00', second = '00', fraction = '', offset] = parts;
	const iso = `${day}T${(hour ?? '').padStart(2, '0')}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}Z`;
	const local = Date.parse(iso);
	// A 30th of February is read as a day in March. There is no year 0 (ISO 8601 has it for 1 BC).
	if (Number.isNaN(local) || new Date(local).toISOString() !== iso || day.startsWith('0000'))
		return undefined;
	if (offset === undefined) return { kind: 'local', local, hasTime: hour !== undefined, text };
	const minutes = offsetMinutes(offset);
	return minutes === undefined ? undefined : { kind: 'instant', time: local - minutes * 60_000 };
}

/** Minutes that `Z`, `+02`, `+0200` or `+02:00` is ahead of UTC; undefined when no zone has this offset. */
function offsetMinutes(offset: string): number | undefined {
	if (offset.toUpperCase() === 'Z') return 0;
	const [hours, minutes] = [Number(offset.slice(1, 3)), Number(offset.slice(-2))];
	const total = hours * 60 + (offset.length > 3 ? minutes : 0);
	if ((offset.length > 3 && minutes > 59) || total > LARGEST_OFFSET_MINUTES) return undefined;
	return offset.startsWith('-') ? -total : total;
}

/**
 * A date as milliseconds since the epoch; undefined when empty. Without an offset it is interpreted in the time zone of the
 * workflow. A date alone is the beginning of that day: the first time that exists, where the clock is put forward at midnight.
 *
 * @throws InvalidParameterError also for a time that the zone's clock skips, or shows twice
 */
export function toTimeInWorkflow(
	label: string,
	value: unknown,
	{ timezone }: Pick<Entered, 'timezone'>,
): number | undefined {
	const date = toDate(label, value);
	if (date?.kind !== 'local') return date?.time;
	if (!date.hasTime) return toInstant(date.local, timezone);
	const [time, second] = toInstants(date.local, timezone);
	if (time === undefined) throw skippedTime(label, date.text, timezone);
	if (second === undefined) return time;
	throw new InvalidParameterError(
		`${label} ${quoted(date.text)} exists twice in ${timezone}: the clock is put back there at that time`,
		'Add an offset such as Z or +01:00.',
	);
}

/**
 * What the clock of a zone shows at a date, as `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event). The text is the same for both
 * instants of a time that the clock shows twice.
 *
 * @param timeZone in which the time is written, and in which a date without an offset is interpreted
 * @throws InvalidParameterError for a time that the zone's clock skips, and for a year that does not have four digits
 */
export function toDateTimeText(label: string, date: DateValue, timeZone: string): string {
	const local = date.kind === 'instant' ? localTimeIn(date.time, timeZone) : date.local;
	const year = new Date(local).getUTCFullYear();
	if (year < 1 || year > 9999) {
		throw new InvalidParameterError(
			`${label} is in the year ${year}, which does not have four digits`,
			`Enter a date ${EXAMPLES}`,
		);
	}
	if (date.kind === 'local' && toInstants(local, timeZone).length === 0)
		throw skippedTime(label, date.text, timeZone);
	return writtenLocalTime(local);
}

/**
 * A date as the filters of a list receive it: `YYYY-MM-DD` for a date alone, else `YYYY-MM-DD HH:mm:ss`. A time without an
 * offset stays as it is; an instant is written in local time of the zone.
 */
export function toFilterText(date: DateValue, timeZone: string): string {
	if (date.kind === 'instant') return writtenLocalTime(localTimeIn(date.time, timeZone));
	const text = writtenLocalTime(date.local);
	return date.hasTime ? text : text.slice(0, 10);
}

/**
 * The name of a time zone; that of the workflow when empty.
 *
 * @throws InvalidParameterError when it is unknown
 */
export function toTimeZone(label: string, value: unknown, { timezone }: Pick<Entered, 'timezone'>): string {
	const chosen = toText(label, value);
	const timeZone = chosen === '' || chosen === WORKFLOW_TIME_ZONE ? timezone : chosen;
	if (isTimeZone(timeZone)) return timeZone;
	throw new InvalidParameterError(
		`${label} ${quoted(timeZone)} is unknown`,
		'Choose one from the list, such as Europe/Berlin.',
	);
}

function writtenLocalTime(local: number): string {
	return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
}

function skippedTime(label: string, text: string, timeZone: string): InvalidParameterError {
	return new InvalidParameterError(
		`${label} ${quoted(text)} does not exist in ${timeZone}: the clock is put forward there at that time`,
		'Choose another time.',
	);
}
