import { fingerprint } from './fingerprint';

/** One record as a poll saw it. */
export interface Reading<T> {
	/** What tells this thing from all others of its list. */
	key: string;
	/** When it was created, in milliseconds since the epoch; undefined when its record does not tell. */
	created?: number;
	record: T;
}

/**
 * What was listed for the first time, in the order of the list; a thing listed twice counts once. Nothing is ever
 * forgotten, so that a record that disappears and comes back is not told again.
 *
 * @param known labels by the fingerprint of the thing
 */
export function additions<T>(
	known: ReadonlyMap<string, string>,
	listed: Iterable<Reading<T>>,
): { added: T[]; next: Map<string, string> } {
	const next = new Map(known);
	const added: T[] = [];
	for (const { key, record } of listed) {
		const itemKey = fingerprint(key);
		if (next.has(itemKey)) continue;
		next.set(itemKey, '');
		added.push(record);
	}
	return { added, next };
}

/**
 * How far back of the newest record a list sorted by creation is looked at again, in milliseconds: a video may be listed
 * later than others that were created after it (a long upload, a long transcoding).
 */
export const LOOK_BACK_MS = 48 * 60 * 60 * 1000;

/** What is remembered of a list that is read from its newest record down to `since`. */
export interface RecentState {
	/** The day of creation (UTC) by the fingerprint of the thing, from the day of `since` on; '' when it is unknown. */
	knownItems: ReadonlyMap<string, string>;
	/** Milliseconds since the epoch; undefined as long as no record told when it was created. */
	since?: number;
}

/**
 * Like {@link additions} for a list of which only the recent end is read: what was created before `since` is not new, and
 * need not be remembered. The memory therefore does not grow with the list.
 *
 * @param ended whether the list was read down to `since`; otherwise `since` stays, or what was not read would be lost
 * @param now milliseconds since the epoch; a record dated in the future does not move `since` beyond it
 */
export function recentAdditions<T>(
	known: RecentState,
	listed: Iterable<Reading<T>>,
	{ ended, now }: { ended: boolean; now: number },
): { added: T[]; next: RecentState } {
	const knownItems = new Map(known.knownItems);
	const added: T[] = [];
	let since = known.since ?? -Infinity;
	for (const { key, created, record } of listed) {
		if (created !== undefined) since = Math.max(since, Math.min(created, now) - LOOK_BACK_MS);
		const itemKey = fingerprint(key);
		const isOld = created !== undefined && known.since !== undefined && created < known.since;
		if (isOld || knownItems.has(itemKey)) continue;
		knownItems.set(itemKey, created === undefined ? '' : dayOf(created));
		added.push(record);
	}
	if (!ended || since === -Infinity) return { added, next: { knownItems, since: known.since } };
	return { added, next: { knownItems: fromDay(knownItems, dayOf(since)), since } };
}

function fromDay(labels: ReadonlyMap<string, string>, day: string): ReadonlyMap<string, string> {
	return new Map([...labels].filter(([, label]) => label === '' || label >= day));
}

function dayOf(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
