import type { INodePropertyOptions } from 'n8n-workflow';

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

/** Whether this Node.js knows a time zone of this name. */
export function isTimeZone(timeZone: string): boolean {
	try {
		return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '';
	} catch {
		return false;
	}
}

/**
 * How far a zone is ahead of UTC at an instant, in milliseconds.
 *
 * @param time milliseconds since the epoch
 */
export function zoneOffsetMs(time: number, timeZone: string): number {
	const seconds = Math.floor(time / 1000) * 1000;
	return localTimeIn(seconds, timeZone) - seconds;
}

/**
 * The local time of a zone at an instant, as the instant that has the same local time in UTC.
 *
 * @param time milliseconds since the epoch
 */
export function localTimeIn(time: number, timeZone: string): number {
	const parts = formatOf(timeZone).formatToParts(time);
	const part = (name: Intl.DateTimeFormatPartTypes) => parts.find(({ type }) => type === name)?.value ?? '';
	const year = Number(part('year'));
	const local = new Date(0);
	// Date.UTC interprets the years 0 to 99 as 1900 to 1999.
	local.setUTCFullYear(
		part('era') === 'BC' ? 1 - year : year,
		Number(part('month')) - 1,
		Number(part('day')),
	);
	local.setUTCHours(
		Number(part('hour')),
		Number(part('minute')),
		Number(part('second')),
		time - Math.floor(time / 1000) * 1000,
	);
	return local.getTime();
}

/**
 * The instants that have this local time in a zone, in milliseconds since the epoch, the first one first: none when the clock is
 * put forward over it, two when it is put back over it.
 *
 * @param local the instant that has this local time in UTC
 */
export function toInstants(local: number, timeZone: string): number[] {
	// No zone changes its offset twice within two days: the offset is that of the day before or of the day after.
	const offsets = new Set([-1, 1].map((days) => zoneOffsetMs(local + days * DAY_MS, timeZone)));
	const times = [...offsets].map((offset) => local - offset);
	return times.filter((time) => localTimeIn(time, timeZone) === local).sort((one, other) => one - other);
}

/**
 * The instant that has this local time in a zone, in milliseconds since the epoch: the first of two, and for a time that the
 * clock is put forward over, the instant as if it were not.
 *
 * @param local the instant that has this local time in UTC
 */
export function toInstant(local: number, timeZone: string): number {
	return toInstants(local, timeZone)[0] ?? local - zoneOffsetMs(local - DAY_MS, timeZone);
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** A format takes a hundred times as long to create as to use. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
	const known = formats.get(timeZone);
	if (known) return known;
	const format = new Intl.DateTimeFormat('en', {
		timeZone,
		calendar: 'gregory',
		numberingSystem: 'latn',
		hourCycle: 'h23',
		era: 'short',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	formats.set(timeZone, format);
	return format;
}
