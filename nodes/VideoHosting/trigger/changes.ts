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
	/** What is known of each record, by its key. Those that are not listed are asked for in this order. */
	known: Map<string, Known>;
}

interface Known {
	/** The text that polls compare. */
	value: string;
	/** Since when the record is not listed, in milliseconds since the epoch; undefined while it is. */
	missingSince?: number;
}

/** A {@link PollState} in n8n's static data. */
export type StoredState = Omit<PollState, 'known'> & { known: Record<string, Known> };

/** A known record that is not listed: since how many milliseconds, 0 in the first poll that misses it. */
export type Missing = Pick<Compared, 'key' | 'value'> & { missingMs: number };

/** What becomes of missing records, by their keys. */
export interface Decisions {
	/** Forgotten: listed again, they are new. */
	settled: string[];
	/** The next poll asks for all others before it asks for these again. */
	askAgain: string[];
}

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
	const changes: Compared[] = [];
	const listedKeys = new Set(listed.map(({ key }) => key));
	for (const [key, { value, missingSince = poll.at }] of known)
		if (!listedKeys.has(key)) known.set(key, { value, missingSince });
	for (const { key, value, watched } of listed) {
		const previous = known.get(key)?.value;
		if (previous !== value) changes.push({ key, value, watched, previous });
		known.set(key, { value });
	}
	return { changes, state: { ...poll, known } };
}

/** The known records that are not listed, in the order in which they are asked for. */
export function missingIn({ at, known }: PollState): Missing[] {
	return [...known].flatMap(([key, { value, missingSince }]) =>
		missingSince === undefined ? [] : [{ key, value, missingMs: at - missingSince }],
	);
}

/** Settles what was missing for a day: a restart of the service may empty its list for an hour. */
export function settledAfterDay(missing: readonly Missing[]): Decisions {
	const settled = missing.filter(({ missingMs }) => missingMs > DAY_MS);
	return { settled: settled.map(({ key }) => key), askAgain: [] };
}

/** Does to the state what was decided. */
export function apply({ settled, askAgain }: Decisions, { known }: PollState): void {
	for (const key of settled) known.delete(key);
	for (const key of askAgain) {
		const last = known.get(key);
		known.delete(key);
		if (last) known.set(key, last);
	}
}

/** The state as n8n stores it: plain JSON. */
export function toStored(state: PollState): StoredState {
	return { ...state, known: Object.fromEntries(state.known) };
}

/** The state that {@link toStored} made; undefined for another scope. */
export function fromStored(stored: StoredState | undefined, scope: string): PollState | undefined {
	return stored?.scope === scope ? { ...stored, known: new Map(Object.entries(stored.known)) } : undefined;
}
