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
	const name =
		formatOf(timeZone)
			.formatToParts(time)
			.find(({ type }) => type === 'timeZoneName')?.value ?? '';
	// "GMT+05:30"; "GMT" alone is UTC, and a local mean time has seconds.
	const [, sign, hours = 0, minutes = 0, seconds = 0] = /([+-])(\d+):(\d+)(?::(\d+))?/.exec(name) ?? [];
	const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
	return sign === '-' ? -offset : offset;
}

/**
 * The local time of a zone at an instant, as the instant that has the same local time in UTC.
 *
 * @param time milliseconds since the epoch
 */
export function localTimeIn(time: number, timeZone: string): number {
	return time + zoneOffsetMs(time, timeZone);
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
	const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
	formats.set(timeZone, format);
	return format;
}
