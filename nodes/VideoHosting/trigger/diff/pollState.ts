import { isRecord } from '../../shared/jsonFields';
import type { ListOrder } from '../../service/timeSortedList';
import { keysOf, RECORD_KEY_LENGTH, type KnownRecord, type RecordKeys } from './knownRecords';
import { eventIdentity, unpack } from './lastSeen';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what the node watches. A state of another scope is not used. */
	scope: string;
	/** Grows with every poll, see {@link nextRevision}: of two states the one with the larger revision is newer. */
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
 * The revision of the state that follows: the time, so that states of several processes can be compared, and always larger
 * than the one before, whatever happens to the clock.
 *
 * @param now milliseconds since the epoch
 */
export function nextRevision({ revision }: PollState, now: number): number {
	return Math.max(revision + 1, now);
}

/** Which keys of its records a group contains; those of `value` are in the values. */
type GroupKeys = 'hash' | 'id' | 'both' | 'value';

/** Records with the same `missed` and `missedSince`: their keys one after the other, by their value. */
type StoredGroup = [GroupKeys, number, number, Record<string, string>];

/** The form in which n8n's database keeps a state as JSON: 9 bytes for each key, and each different value once. */
export type StoredPollState = {
	version: 1;
	scope: string;
	revision: number;
	baseline?: { readings: number; grown: boolean };
	nextPage: number;
	since?: number;
	order?: ListOrder;
	known: StoredGroup[];
};

export function serializePollState(state: PollState): StoredPollState {
	const { scope, revision, known, baseline, nextPage, since, order } = state;
	const groups = new Map<string, { head: [GroupKeys, number, number]; keys: Map<string, string> }>();
	for (const { hashKey = '', idKey = '', value, missed, missedSince } of known) {
		const own = keysIn(value);
		const isInValue = hashKey === (own.hashKey ?? '') && idKey === (own.idKey ?? '');
		const kind: GroupKeys = isInValue ? 'value' : idKey === '' ? 'hash' : hashKey === '' ? 'id' : 'both';
		const head: [GroupKeys, number, number] = [kind, missed, missedSince];
		const group = groups.get(head.join()) ?? { head, keys: new Map<string, string>() };
		const keys = isInValue ? '' : hashKey + idKey;
		groups.set(head.join(), group);
		group.keys.set(value, (group.keys.get(value) ?? '') + keys);
	}
	return {
		version: 1,
		...{ scope, revision, nextPage },
		...(baseline === undefined ? {} : { baseline: { ...baseline } }),
		...(since === undefined ? {} : { since }),
		...(order === undefined ? {} : { order }),
		known: [...groups.values()].map(({ head, keys }) => [...head, Object.fromEntries(keys)]),
	};
}

/** The state in what n8n stored; undefined when nothing is stored or it cannot be read. */
export function parsePollState(stored: unknown): PollState | undefined {
	if (!isRecord(stored) || stored.version !== 1) return undefined;
	const { scope, revision, baseline, nextPage, since, order, known: groups } = stored;
	if (typeof scope !== 'string' || !isCount(revision) || !Array.isArray(groups)) return undefined;
	if (baseline !== undefined && !isBaseline(baseline)) return undefined;
	const known: KnownRecord[] = [];
	for (const group of groups as unknown[]) {
		const records = recordsOf(group);
		if (!records) return undefined;
		known.push(...records);
	}
	return {
		...{ scope, revision, known },
		...(baseline && { baseline: { readings: baseline.readings, grown: baseline.grown } }),
		nextPage: isCount(nextPage) && nextPage > 0 ? nextPage : 1,
		...(typeof since === 'number' ? { since } : {}),
		// Written by serializePollState. Copied: n8n's static data is observed, and cannot be cloned.
		...(isRecord(order) ? { order: JSON.parse(JSON.stringify(order)) as ListOrder } : {}),
	};
}

function recordsOf(group: unknown): KnownRecord[] | undefined {
	if (!Array.isArray(group)) return undefined;
	const [kind, missed, missedSince, byValue] = group as unknown[];
	if (typeof missed !== 'number' || typeof missedSince !== 'number' || !isRecord(byValue)) return undefined;
	const records: KnownRecord[] = [];
	for (const [value, joined] of Object.entries(byValue)) {
		const keys = kind === 'value' ? [keysIn(value)] : split(kind, joined);
		if (!keys) return undefined;
		for (const each of keys) records.push({ ...each, value, missed, missedSince });
	}
	return records;
}

function split(kind: unknown, joined: unknown): RecordKeys[] | undefined {
	const each = RECORD_KEY_LENGTH * (kind === 'both' ? 2 : 1);
	if (typeof joined !== 'string' || joined.length % each !== 0) return undefined;
	const parts = Array.from({ length: joined.length / each }, (_, index) =>
		joined.slice(index * each, (index + 1) * each),
	);
	if (kind === 'hash') return parts.map((hashKey) => ({ hashKey }));
	if (kind === 'id') return parts.map((idKey) => ({ idKey }));
	if (kind !== 'both') return undefined;
	return parts.map((both) => ({
		hashKey: both.slice(0, RECORD_KEY_LENGTH),
		idKey: both.slice(RECORD_KEY_LENGTH),
	}));
}

/** The keys of an event whose hash or ID its value contains, see {@link pack}. */
function keysIn(value: string): RecordKeys {
	return keysOf(eventIdentity(unpack(value)));
}

function isBaseline(value: unknown): value is Baseline {
	return isRecord(value) && isCount(value.readings) && typeof value.grown === 'boolean';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
