import { tryToParseDateTime, type IDataObject, type INodePropertyOptions } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import { parameter } from './parameter';
import { hasJson, InvalidParameterError, isEmpty, quoted, toText, type Entered } from './values';

export const DAY_MS = 24 * 60 * 60 * 1000;

/** A date that a parameter accepts. */
export interface DateValue {
	/** ISO 8601, as it was entered where that is possible. */
	iso: string;
	hasTime: boolean;
	/** Without an offset, a zone is needed to know the moment. */
	hasOffset: boolean;
}

/** ISO 8601 with hyphens and colons; `T` or a space, one digit for the hour, seconds, fractions and offset optional. */
const ISO_DATE =
	/^((?!0000)\d{4}-\d{2}-\d{2})(?:[Tt ](\d{1,2})(:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?([Zz]|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?)?$/;
/** iCalendar's basic format: `20310401`, `20310401T090000`, `20310401T090000Z` (RFC 5545, section 3.3.5). */
const BASIC_DATE = /^(\d{4})(\d\d)(\d\d)$/;
const BASIC_TIME = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(Z?)$/;
/** The date of an RSS entry or an email: `Tue, 1 Jul 2031 18:00:00 +0200 (CEST)` (RFC 2822, section 3.3). */
const EMAIL_DATE =
	/^(?:[a-z]{3}, *)?(\d{1,2}) ([a-z]{3}) (\d{4}) (\d\d:\d\d(?::\d\d)?) (?:gmt|utc?|([+-]\d{4}))(?: \([^)]*\))?$/i;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Milliseconds since 1970 outside of these years are another unit, or digits such as 202612241800. */
const YEARS = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2200, 0, 1) };
/** Days since the end of 1899, as Excel and Google Sheets store a date; the years 1954 to 2119. */
const SERIALS = { from: 20_000, to: 80_000 };
const SERIAL_OF_1970 = 25_569;

/** What a parameter stores instead of a zone's name to use the time zone of the workflow; '' means the same. */
const WORKFLOW_TIME_ZONE = 'workflow';

/**
 * The choices of the option Time Zone. n8n does not pass the name of the workflow's zone to a node's fields, and Node.js may leave UTC
 * out of its list.
 */
const TIME_ZONES: INodePropertyOptions[] = [
	{ name: 'Workflow Time Zone', value: WORKFLOW_TIME_ZONE },
	...[...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])].map((zone) => ({
		name: zone,
		value: zone,
	})),
];

/**
 * A date: a text in ISO 8601, of iCalendar, an RSS entry or an email; an n8n DateTime or a JavaScript Date; a number of milliseconds
 * since the epoch, or of a spreadsheet; the object of a calendar entry. Undefined when empty.
 *
 * @throws InvalidParameterError for anything else, and for a date that does not exist
 */
export function toDate(label: string, value: unknown): DateValue | undefined {
	if (isRecord(value) && !hasJson(value)) return dateOfEntry(label, value);
	const text = typeof value === 'number' ? isoOfNumber(value) : isoOfText(toText(label, value));
	if (text === '') return undefined;
	// Groups that are not in the text are undefined.
	const [, day, hour, minutes = '', offset = ''] = ISO_DATE.exec(text) ?? [];
	const time = hour === undefined ? '' : `T${hour.padStart(2, '0')}${minutes}${offset.toUpperCase()}`;
	// n8n-workflow passes what luxon rejects to Date.parse, which reads a 30th of February as a day in March.
	if (day !== undefined && parsed(day + time, 'UTC')?.toISODate() === day)
		return { iso: day + time, hasTime: time !== '', hasOffset: offset !== '' };
	if (text.includes('[object Object]'))
		throw new InvalidParameterError(
			`${label} ${quoted(value)} is text that was made of an object`,
			'Drag the whole object into the field, such as start of a calendar entry, and leave nothing around it.',
		);
	throw new InvalidParameterError(
		`${label} ${quoted(value)} is not a date that this node reads`,
		'Enter one such as 2026-12-24, 2026-12-24 18:00:00 or 2026-12-24T18:00:00Z, or a number, not text, of milliseconds since 1970.',
	);
}

/** ISO 8601 of milliseconds since 1970, or of a day and time in a spreadsheet; another number as it is. */
function isoOfNumber(value: number): string {
	if (Number.isInteger(value) && value >= YEARS.from && value < YEARS.to)
		return new Date(value).toISOString();
	if (!(value >= SERIALS.from && value <= SERIALS.to)) return String(value);
	const clock = new Date(Math.round((value - SERIAL_OF_1970) * (DAY_MS / 1000)) * 1000).toISOString();
	return clock.slice(0, Number.isInteger(value) ? 10 : 19);
}

/** ISO 8601 of a text in another form that is read; other texts as they are. */
function isoOfText(text: string): string {
	const [, day = '', month = '', year = '', time = '', offset = 'Z'] = EMAIL_DATE.exec(text) ?? [];
	if (day === '') return text.replace(BASIC_DATE, '$1-$2-$3').replace(BASIC_TIME, '$1-$2-$3T$4:$5:$6$7');
	const number = MONTHS.indexOf(month.toLowerCase()) + 1;
	return `${year}-${String(number).padStart(2, '0')}-${day.padStart(2, '0')}T${time}${offset}`;
}

/**
 * The date of a calendar entry:
 * - `{ dateTime, timeZone }` of Google and Microsoft Graph, which leaves out the offset: `2031-04-01T07:00:00.0000000` in `UTC`
 * - `{ date }` of an all-day entry, as `YYYY-MM-DD`
 * - `{ date, type }`, which n8n's Extract from File makes of an .ics file; `date` is a Date or its text
 *
 * @throws InvalidParameterError
 */
function dateOfEntry(label: string, { date, dateTime, timeZone, type }: IDataObject): DateValue {
	if (type === 'DATE')
		throw new InvalidParameterError(
			`${label} is an all-day entry of an .ics file, of which n8n does not keep the day for certain`,
			'Leave out all-day entries before this node.',
		);
	const value = isEmpty(dateTime) ? date : dateTime;
	const read = typeof value === 'string' || hasJson(value) ? toDate(label, value) : undefined;
	const isAllDay = isEmpty(dateTime) && type !== 'DATE-TIME';
	if (read && (isAllDay ? !read.hasTime : read.hasOffset)) return read;
	if (isEmpty(dateTime) || !read?.hasTime || typeof timeZone !== 'string' || timeZone === '')
		throw new InvalidParameterError(
			`${label} is an object without the date of a calendar entry`,
			'Drag the whole start of the entry, which has dateTime and timeZone, or a field that is a date itself.',
		);
	if (!isTimeZone(timeZone))
		throw new InvalidParameterError(
			`${label} is in the unknown time zone ${quoted(timeZone)}`,
			'Drag a start whose timeZone is UTC or a name such as America/Los_Angeles, or a date with an offset.',
		);
	const iso = new Date(timeInWorkflow(label, read, timeZone)).toISOString();
	return { iso, hasTime: true, hasOffset: true };
}

/** A text as luxon's DateTime; undefined when it is not a date, or the zone is unknown. */
function parsed(text: string, timeZone: string) {
	try {
		return tryToParseDateTime(text, timeZone);
	} catch {
		return undefined;
	}
}

/**
 * A date in a zone, which is also the zone of a date without an offset. Luxon moves a time that the clock skips, and chooses one
 * of the two moments of a time that the clock shows twice.
 */
export function inZone({ iso }: Pick<DateValue, 'iso'>, timeZone: string) {
	return tryToParseDateTime(iso, timeZone).setZone(timeZone);
}

/** What the clock of a zone shows at a date, as `YYYY-MM-DD HH:mm:ss`. */
function clockTime(date: DateValue, timeZone: string): string {
	return inZone(date, timeZone).toSQL()?.slice(0, 19) ?? '';
}

/**
 * A date as milliseconds since the epoch; undefined when empty. Without an offset it is interpreted in the time zone of the
 * workflow. A date alone is the beginning of that day: the first time that exists, where the clock is put forward at midnight.
 *
 * @throws InvalidParameterError also for a time that the zone's clock skips, or shows twice
 */
export function toTimeInWorkflow(label: string, value: unknown, { timezone }: Entered): number | undefined {
	const date = toDate(label, value);
	return date && timeInWorkflow(label, date, timezone);
}

/** Like {@link toTimeInWorkflow}, for a date that was already read. */
export function timeInWorkflow(label: string, date: DateValue, timezone: string): number {
	const zoned = inZone(date, timezone);
	if (!date.hasTime || date.hasOffset) return zoned.toMillis();
	// The clock must show it, and only once.
	toDateTimeText(label, date, timezone);
	if (zoned.getPossibleOffsets().length === 1) return zoned.toMillis();
	throw new InvalidParameterError(
		`${label} ${quoted(date.iso)} exists twice in ${timezone}: the clock is put back there at that time`,
		'Add an offset such as Z or +01:00.',
	);
}

/**
 * What the clock of a zone shows at a date, as `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event). The text is the same for both
 * instants of a time that the clock shows twice.
 *
 * @param date a date alone is the first time of that day
 * @param timeZone in which the time is written, and in which a date without an offset is interpreted
 * @throws InvalidParameterError for a time that the zone's clock skips
 */
export function toDateTimeText(label: string, date: DateValue, timeZone: string): string {
	const shown = clockTime(date, timeZone);
	if (date.hasOffset || !date.hasTime || shown === clockTime(date, 'UTC')) return shown;
	throw new InvalidParameterError(
		`${label} ${quoted(date.iso)} does not exist in ${timeZone}: the clock is put forward there at that time`,
		'Choose another time.',
	);
}

/**
 * A date in a zone as `YYYY-MM-DD HH:mm:ss`, a date alone as `YYYY-MM-DD`. Without an offset, it stays as it is.
 */
export function toLocalText(date: DateValue, timeZone: string): string {
	return date.hasTime ? clockTime(date, date.hasOffset ? timeZone : 'UTC') : date.iso;
}

/** Whether a time zone is known; not by the names by which luxon means that of the server. */
function isTimeZone(name: string): boolean {
	return !/^(local|system|default)$/i.test(name) && parsed('2026-01-01', name) !== undefined;
}

/**
 * The name of a time zone; that of the workflow when empty.
 *
 * @throws InvalidParameterError when it is unknown
 */
function toTimeZone(label: string, value: unknown, { timezone }: Entered): string {
	const chosen = toText(label, value);
	const timeZone = chosen === '' || chosen === WORKFLOW_TIME_ZONE ? timezone : chosen;
	if (isTimeZone(timeZone)) return timeZone;
	throw new InvalidParameterError(
		`${label} ${quoted(timeZone)} is unknown`,
		'Choose one from the list, such as Europe/Berlin.',
	);
}

/** The option Time Zone, which a node describes. */
export const timezoneOption = parameter(toTimeZone, {
	displayName: 'Time Zone',
	name: 'timezone',
	collection: 'options',
	type: 'options',
	options: TIME_ZONES,
	default: WORKFLOW_TIME_ZONE,
	adviceForNothing: 'Check the expression. An empty text is the time zone of the workflow.',
});
