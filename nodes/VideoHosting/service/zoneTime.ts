/** Converts a time on a zone's clock, as `YYYY-MM-DD HH:mm:ss`, to milliseconds since the epoch. */
export type ZoneClock = (text: string) => number | undefined;

/** `YYYY-MM-DD`, with or without a time, seconds and their fractions. */
const LOCAL_TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2})?)(?:\.\d+)?)?$/;

/**
 * The clock of a zone, with the offset that the zone has at that time. For a time that occurs twice when the clock is put
 * back, it returns one of the two moments. A time that the clock skips is moved by the length of the gap.
 */
export function zoneClock(timeZone: string): ZoneClock {
	// `h23`: midnight is 00, not 24.
	const format = new Intl.DateTimeFormat('en-US', {
		timeZone,
		hourCycle: 'h23',
		year: 'numeric',
		month: 'numeric',
		day: 'numeric',
		hour: 'numeric',
		minute: 'numeric',
		second: 'numeric',
	});
	/** How far the zone's clock is ahead of UTC at a moment, in milliseconds. */
	const offsetAt = (moment: number) => {
		const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {};
		for (const { type, value } of format.formatToParts(moment)) parts[type] = Number(value);
		const { year = 0, month = 1, day, hour, minute, second } = parts;
		return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(moment / 1000) * 1000;
	};
	return (text) => {
		const local = LOCAL_TIME.exec(text.trim());
		if (!local) return undefined;
		const asUtc = Date.parse(`${local[1]}T${local[2] ?? '00:00'}Z`);
		if (Number.isNaN(asUtc)) return undefined;
		// The offset at a moment up to a day off may be the one on the other side of a clock change.
		const guess = asUtc - offsetAt(asUtc);
		return asUtc - offsetAt(guess);
	};
}
