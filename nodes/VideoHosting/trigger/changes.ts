import { DAY_MS } from '../parameters/dates';
import type { Listed } from '../service/record';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what is watched; a state of another scope is not used. */
	scope: string;
	/**
	 * Fingerprint of the settings with which a poll has read a record that can be compared. Later, others that cannot are no error: the last
	 * event of the plan may be one without a date.
	 */
	proven?: string;
	/** When the poll began, in milliseconds since the epoch. */
	at: number;
	/** The compared value of each record, by its key. */
	known: Map<string, string>;
	/** Since when known records are not listed, in milliseconds since the epoch, by their keys; in the order in which they are asked for. */
	missing: Map<string, number>;
}

/** A known record that is not listed, and whether this poll is the first that misses it. */
export type Missing = Pick<Compared, 'key' | 'value'> & { isFirst: boolean };

/** What becomes of missing records, by their keys. */
export interface Decisions {
	/** Forgotten: listed again, they are new. */
	settled: string[];
	/** The next poll asks for all others before it asks for these again. */
	askAgain: string[];
}

/** A {@link PollState} in n8n's static data. */
export type StoredState = Pick<PollState, 'scope' | 'proven' | 'at'> & {
	known: Record<string, string>;
	missing: Record<string, number>;
};

/** A record of a list: the key that identifies it, and the text that polls compare. */
export interface Compared<Watched extends Listed = Listed> {
	key: string;
	value: string;
	watched: Watched;
	/** The value before; undefined for a record that was not known. */
	previous?: string;
}

/**
 * Compares the records of a list with what earlier polls know.
 *
 * @param before undefined in the first poll, to which all records are new
 * @returns the changes in the order of the list
 */
export function compare(
	before: PollState | undefined,
	listed: readonly Compared[],
	poll: Pick<PollState, 'scope' | 'proven' | 'at'>,
): { changes: Compared[]; state: PollState } {
	const known = new Map(before?.known);
	const missing = new Map<string, number>();
	const changes: Compared[] = [];
	for (const each of listed) {
		const previous = known.get(each.key);
		if (previous !== each.value) changes.push({ ...each, previous });
		known.set(each.key, each.value);
	}
	const listedKeys = new Set(listed.map(({ key }) => key));
	for (const key of [...(before?.missing.keys() ?? []), ...known.keys()]) {
		if (!listedKeys.has(key)) missing.set(key, before?.missing.get(key) ?? poll.at);
	}
	return { changes, state: { ...poll, known, missing } };
}

/** The known records that are not listed, in the order in which they are asked for. */
export function missingIn({ at, known, missing }: PollState): Missing[] {
	return [...missing].map(([key, since]) => ({ key, value: known.get(key) ?? '', isFirst: since === at }));
}

/** Settles what was missing for a day: a restart of the service may empty its list for an hour. */
export function settledAfterDay({ at, missing }: PollState): Decisions {
	const settled = [...missing].filter(([, since]) => at - since > DAY_MS).map(([key]) => key);
	return { settled, askAgain: [] };
}

/** Does to the state what was decided. */
export function apply({ settled, askAgain }: Decisions, { known, missing }: PollState): void {
	for (const key of settled) known.delete(key);
	for (const key of settled) missing.delete(key);
	for (const key of askAgain) {
		const since = missing.get(key);
		missing.delete(key);
		if (since !== undefined) missing.set(key, since);
	}
}

/** The state as n8n stores it: plain JSON. */
export function toStored(state: PollState): StoredState {
	return { ...state, known: Object.fromEntries(state.known), missing: Object.fromEntries(state.missing) };
}

/** The state that {@link toStored} made; undefined for another scope. */
export function fromStored(stored: StoredState | undefined, scope: string): PollState | undefined {
	if (stored?.scope !== scope) return undefined;
	return {
		...stored,
		known: new Map(Object.entries(stored.known)),
		missing: new Map(Object.entries(stored.missing)),
	};
}
