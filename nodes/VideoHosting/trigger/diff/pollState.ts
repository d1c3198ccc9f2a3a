import { isRecord } from '../../shared/jsonFields';
import type { ListOrder } from '../../service/leftovers/timeSortedList';
import { keysOf, RECORD_KEY_LENGTH, type KnownRecord, type RecordKeys } from './knownRecords';
import { eventIdentity, unpack } from './lastSeen';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what the node watches. A state of another scope is not used. */
	scope: string;
	/**
	 * The time of the poll, in milliseconds since the epoch, so that states of several processes can be compared; always larger
	 * than the one before, whatever happens to the clock. 0 before the first poll.
	 */
	revision: number;
	known: readonly KnownRecord[];
	/** While the baseline is not complete; until then, a record listed for the first time is not new. */
	baseline?: Baseline;
	/** Page that the next poll begins with: 1, or where a poll ran out of time. */
	nextPage: number;
	/**
	 * Videos created before this time are old, known or not. Milliseconds since the epoch; undefined when every video of the
	 * plan is known.
	 */
	since?: number;
	/** What is proven about the order of the list. */
	order?: ListOrder;
}

/** How far the baseline is. */
export interface Baseline {
	/** How often the list was read to its end. */
	readings: number;
	/** Whether the current reading has listed a record for the first time. */
	grown: boolean;
}

/** The state before a list was ever read. */
export function emptyPollState(scope: string): PollState {
	return { scope, revision: 0, known: [], baseline: { readings: 0, grown: false }, nextPage: 1 };
}

/**
 * The form in which n8n's database keeps a state as JSON, with each different value once. Of the known records: by `missed` and
 * `missedSince`, and then by value, the keys of hash and ID, 9 characters each; none where the value contains hash and ID.
 */
export type StoredPollState = {
	version: 1;
	state: Omit<PollState, 'known'>;
	known: Record<string, Record<string, string>>;
};

/** In place of a key that a record does not have. */
const NO_KEY = '.';
const KEYS = new RegExp(`([\\w-]{${RECORD_KEY_LENGTH}}|\\.)([\\w-]{${RECORD_KEY_LENGTH}}|\\.)`, 'g');

export function serializePollState({ known, ...state }: PollState): StoredPollState {
	const groups = new Map<string, Map<string, string>>();
	for (const { hashKey, idKey, value, missed, missedSince } of known) {
		const id = `${missed} ${missedSince}`;
		const byValue = groups.get(id) ?? new Map<string, string>();
		groups.set(id, byValue);
		const own = keysIn(value);
		const isInValue = hashKey === own.hashKey && idKey === own.idKey;
		const keys = isInValue ? '' : `${hashKey ?? NO_KEY}${idKey ?? NO_KEY}`;
		byValue.set(value, (byValue.get(value) ?? '') + keys);
	}
	const stored = [...groups].map(([id, byValue]) => [id, Object.fromEntries(byValue)] as const);
	return { version: 1, state, known: Object.fromEntries(stored) };
}

/** The state in what n8n stored; undefined when nothing is stored, or when it cannot be read. */
export function parsePollState(stored: unknown): PollState | undefined {
	if (!isRecord(stored) || stored.version !== 1) return undefined;
	try {
		// Written by serializePollState. Copied: n8n's static data is observed, and cannot be cloned.
		const { state, known } = JSON.parse(JSON.stringify(stored)) as StoredPollState;
		return { ...state, known: Object.entries(known).flatMap(recordsOf) };
	} catch {
		// Changed by somebody else: as if nothing were stored.
		return undefined;
	}
}

function recordsOf([id, byValue]: [string, Record<string, string>]): KnownRecord[] {
	const [missed = 0, missedSince = 0] = id.split(' ').map(Number);
	return Object.entries(byValue).flatMap(([value, joined]) => {
		const keyIn = (text: string | undefined) => (text === NO_KEY ? undefined : text);
		const keys = [...joined.matchAll(KEYS)].map(([, hashKey, idKey]) => ({
			hashKey: keyIn(hashKey),
			idKey: keyIn(idKey),
		}));
		const each = joined === '' ? [keysIn(value)] : keys;
		return each.map((own) => ({ ...own, value, missed, missedSince }));
	});
}

/** The keys of an event whose hash or ID its value contains, see {@link pack}. */
function keysIn(value: string): RecordKeys {
	return keysOf(eventIdentity(unpack(value)));
}
