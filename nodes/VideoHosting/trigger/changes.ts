import { DAY_MS } from '../parameters/dates';
import type { Listed } from '../service/record';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what is watched; a state of another scope is not used. */
	scope: string;
	/** Fingerprint of the settings with which a poll has read a record that can be compared; later, others that cannot are no error. */
	proven?: string;
	/** When the poll began, in milliseconds since the epoch. */
	at: number;
	/** The compared value of each record, by its key. */
	known: Map<string, string>;
	/** Since when known records are not listed, in milliseconds since the epoch, by their keys. */
	missing: Map<string, number>;
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
	for (const key of known.keys()) {
		if (!listedKeys.has(key)) missing.set(key, before?.missing.get(key) ?? poll.at);
	}
	return { changes, state: { ...poll, known, missing } };
}

/** Forgets the records that were missing for a day: listed again, they are new. */
export function forgetMissing({ at, known, missing }: PollState): void {
	for (const [key, since] of missing) {
		if (at - since <= DAY_MS) continue;
		known.delete(key);
		missing.delete(key);
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
