/**
 * How far back of the newest video a list sorted by creation is read again, in milliseconds: a video may be listed later
 * than others that were created after it (a long upload, a long transcoding).
 */
export const LOOK_BACK_MS = 48 * 60 * 60 * 1000;

/** How many of the newest videos are read again, however old they are: an imported video may have an old date. */
export const LOOK_BACK_VIDEOS = 100;

/**
 * The time before which videos count as old after a list was read: the earlier of {@link LOOK_BACK_MS} before the newest
 * and the creation of the oldest of the newest {@link LOOK_BACK_VIDEOS}. It never moves back: what lies before it may
 * never have been read.
 *
 * @param since what it was before; milliseconds since the epoch
 * @param created of the records that were read, in milliseconds since the epoch
 * @param completeFrom everything created at this time or later was read; `-Infinity` for the whole list
 * @param now milliseconds since the epoch; a record dated in the future counts as created now
 * @returns undefined while the whole list is to be read
 */
export function nextSince(
	since: number | undefined,
	created: readonly number[],
	completeFrom: number,
	now: number,
): number | undefined {
	if (created.length === 0) return since;
	const newestFirst = created.map((time) => Math.min(time, now)).sort((a, b) => b - a);
	const newest = newestFirst[0] ?? now;
	const byCount =
		newestFirst.length > LOOK_BACK_VIDEOS ? (newestFirst[LOOK_BACK_VIDEOS - 1] ?? -Infinity) : -Infinity;
	const next = Math.max(since ?? -Infinity, completeFrom, Math.min(newest - LOOK_BACK_MS, byCount));
	return next === -Infinity ? undefined : next;
}
