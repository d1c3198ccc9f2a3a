import { tryToParseDateTime, type INodePropertyOptions } from 'n8n-workflow';

import {
	InvalidParameterError,
	isEmpty,
	quoted,
	timeOfDateObject,
	toText,
	unexpectedType,
	type Entered,
} from './values';

/**
 * A date that a parameter accepts: an instant, or a local time whose zone is still to be named. `time` is in milliseconds
 * since the epoch; `local` is the instant that has this local time in UTC.
 */
export type DateValue =
	{ kind: 'instant'; time: number } | { kind: 'local'; local: number; hasTime: boolean; text: string };

/** ISO 8601 with hyphens and colons; `T` or a space, one digit for the hour, seconds, fractions and offset optional. */
const ISO_DATE =
	/^((?!0000)\d{4}-\d{2}-\d{2})(?:[Tt ](\d{1,2})(:\d{2}(?::\d{2}(?:[.,]\d+)?)?) ?([Zz]|[+-]\d{2}(?::?\d{2})?)?)?$/;
const EXAMPLES = 'such as 2026-12-24, 2026-12-24 18:00:00 or 2026-12-24T18:00:00Z.';
/**
 * 2000-01-01 and 2200-01-01 in milliseconds since the epoch. Numbers outside of this range are another unit, or digits such as
 * 202612241800.
 */
const DATE_NUMBERS = { from: Date.UTC(2000, 0, 1), to: Date.UTC(2200, 0, 1) };

/** What a parameter stores instead of a zone's name to use the time zone of the workflow; '' means the same. */
export const WORKFLOW_TIME_ZONE = 'workflow';

/**
 * The choices of an option Time Zone: that of the workflow, whose name n8n does not pass to a node's fields, UTC, which
 * Node.js leaves out of its list, and all other zones that this n8n knows.
 */
export const TIME_ZONES: INodePropertyOptions[] = [
	{ name: 'Workflow Time Zone', value: WORKFLOW_TIME_ZONE },
	...['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((zone) => ({
		name: zone,
		value: zone,
	})),
];

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
	const [, day = '', hour, minutes = '', offset = ''] = parts;
	const time = hour === undefined ? '' : `T${hour.padStart(2, '0')}${minutes}`;
	const parsed = dateTimeIn('UTC', `${day}${time}${offset}`);
	// What is not ISO 8601 for luxon is left to Date.parse: that reads a 30th of February as a day in March.
	if (parsed?.toISODate() !== day) return undefined;
	if (offset !== '') return { kind: 'instant', time: parsed.toMillis() };
	return { kind: 'local', local: parsed.toMillis(), hasTime: hour !== undefined, text };
}

/** A text as luxon's DateTime; undefined when it is not a date, or the zone is unknown. */
function dateTimeIn(timeZone: string, text: string): ReturnType<typeof tryToParseDateTime> | undefined {
	try {
		return tryToParseDateTime(text, timeZone);
	} catch {
		return undefined;
	}
}

/**
 * A local time in a zone. Of a time that the clock shows twice, luxon chooses one; a time that the clock skips moves.
 *
 * @param local the instant that has this local time in UTC
 */
function zonedTime(local: number, timeZone: string) {
	return tryToParseDateTime(new Date(local).toISOString().slice(0, -1), timeZone);
}

/**
 * The instant that has this local time in a zone, in milliseconds since the epoch: one of the two that a clock shows twice, and for
 * a time that the clock is put forward over, the instant as if it were not.
 *
 * @param local the instant that has this local time in UTC
 */
export function toInstant(local: number, timeZone: string): number {
	return zonedTime(local, timeZone).toMillis();
}

/** How far a zone is ahead of UTC at an instant, in milliseconds. */
export function zoneOffsetMs(time: number, timeZone: string): number {
	return tryToParseDateTime(new Date(time).toISOString()).setZone(timeZone).offset * 60_000;
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
	const zoned = zonedTime(date.local, timezone);
	if (!date.hasTime) return zoned.startOf('day').toMillis();
	checkNotSkipped(label, date, timezone);
	if (zoned.getPossibleOffsets().length === 1) return zoned.toMillis();
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
	if (date.kind === 'local') checkNotSkipped(label, date, timeZone);
	const text = writtenIn(timeZone, date);
	if (/^\d{4}-/.test(text)) return text;
	throw new InvalidParameterError(
		`${label} is in a year that does not have four digits`,
		`Enter a date ${EXAMPLES}`,
	);
}

function checkNotSkipped(label: string, date: DateValue & { kind: 'local' }, timeZone: string): void {
	if (zonedTime(date.local, timeZone).setZone('UTC', { keepLocalTime: true }).toMillis() === date.local)
		return;
	throw new InvalidParameterError(
		`${label} ${quoted(date.text)} does not exist in ${timeZone}: the clock is put forward there at that time`,
		'Choose another time.',
	);
}

/**
 * A date as the filters of a list receive it: `YYYY-MM-DD` for a date alone, else `YYYY-MM-DD HH:mm:ss`. A time without an
 * offset stays as it is; an instant is written in local time of the zone.
 */
export function toFilterText(date: DateValue, timeZone: string): string {
	const text = writtenIn(timeZone, date);
	return date.kind === 'instant' || date.hasTime ? text : text.slice(0, 10);
}

function writtenIn(timeZone: string, date: DateValue): string {
	const time = date.kind === 'instant' ? date.time + zoneOffsetMs(date.time, timeZone) : date.local;
	return new Date(time).toISOString().slice(0, -5).replace('T', ' ');
}

/**
 * The name of a time zone; that of the workflow when empty.
 *
 * @throws InvalidParameterError when it is unknown
 */
export function toTimeZone(label: string, value: unknown, { timezone }: Pick<Entered, 'timezone'>): string {
	const chosen = toText(label, value);
	const timeZone = chosen === '' || chosen === WORKFLOW_TIME_ZONE ? timezone : chosen;
	if (dateTimeIn(timeZone, '2026-01-01')) return timeZone;
	throw new InvalidParameterError(
		`${label} ${quoted(timeZone)} is unknown`,
		'Choose one from the list, such as Europe/Berlin.',
	);
}
