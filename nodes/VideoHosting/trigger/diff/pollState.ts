import { FINGERPRINT_LENGTH, ITEM_KEY_LENGTH } from './fingerprint';
import type { KnownItem } from './knownItems';
import type { ListOrder } from '../../service/timeSortedList';
import { isRecord } from '../../shared/jsonFields';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what the node watches. A state of another scope is not used. */
	scope: string;
	/** Grows with every poll, see {@link nextRevision}: of two states the one with the larger revision is newer. */
	revision: number;
	items: readonly KnownItem[];
	/** While the baseline is not complete; until then, an item listed for the first time is not new. */
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
	/** Whether the current reading has listed an item for the first time. */
	grown: boolean;
}

/** The state before a list was ever read. */
export function emptyPollState(scope: string): PollState {
	return { scope, revision: 0, items: [], baseline: { readings: 0, grown: false }, nextPage: 1 };
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

/** Which keys of its items a group contains. */
type GroupKeys = 'hash' | 'id' | 'hash+id';

/** Items with the same label: label, keys, `missed`, `missedSince`, and their keys one after the other. */
type StoredGroup = [string, GroupKeys, number, number, string];

/** The form in which n8n's database keeps a state as JSON: 9 bytes for each hash and each ID. */
export type StoredPollState = {
	version: 2;
	scope: string;
	revision: number;
	baseline?: { readings: number; grown: boolean };
	nextPage: number;
	since?: number;
	order?: ListOrder;
	items: StoredGroup[];
};

export function serializePollState(state: PollState): StoredPollState {
	const { scope, revision, items, baseline, nextPage, since, order } = state;
	const groups = new Map<string, { group: StoredGroup; keys: string[] }>();
	for (const { hashKey = '', idKey = '', label, missed, missedSince } of items) {
		const kind: GroupKeys = idKey === '' ? 'hash' : hashKey === '' ? 'id' : 'hash+id';
		const name = JSON.stringify([label, kind, missed, missedSince]);
		const entry = groups.get(name) ?? { group: [label, kind, missed, missedSince, ''], keys: [] };
		entry.keys.push(hashKey, idKey);
		groups.set(name, entry);
	}
	return {
		version: 2,
		...{ scope, revision, nextPage },
		...(baseline === undefined ? {} : { baseline: { ...baseline } }),
		...(since === undefined ? {} : { since }),
		...(order === undefined ? {} : { order }),
		items: [...groups.values()].map(({ group: [label, kind, missed, missedSince], keys }) => [
			label,
			kind,
			missed,
			missedSince,
			keys.join(''),
		]),
	};
}

/**
 * The state in what n8n stored, in any format that a release of this package wrote. Undefined when nothing is stored or it
 * cannot be read.
 */
export function parsePollState(stored: unknown): PollState | undefined {
	if (!isRecord(stored) || typeof stored.version !== 'number') return undefined;
	return READERS[stored.version]?.(stored);
}

/** One reader for each format ever released, by its version. */
const READERS: Record<number, (stored: Record<string, unknown>) => PollState | undefined> = {
	1: ({ scope, complete, nextPage, since, labels }) => {
		if (typeof scope !== 'string' || typeof complete !== 'boolean' || !isRecord(labels)) return undefined;
		const items: KnownItem[] = [];
		for (const [label, joined] of Object.entries(labels)) {
			const keys = split(joined, FINGERPRINT_LENGTH);
			if (!keys) return undefined;
			for (const key of keys) {
				items.push({ hashKey: key.slice(0, ITEM_KEY_LENGTH), label, missed: 0, missedSince: 0 });
			}
		}
		return {
			...{ scope, revision: 0, items },
			...(complete ? {} : { baseline: { readings: 0, grown: false } }),
			...position(nextPage, since),
		};
	},
	2: ({ scope, revision, baseline, nextPage, since, order, items: groups }) => {
		if (typeof scope !== 'string' || !isCount(revision) || !Array.isArray(groups)) return undefined;
		if (baseline !== undefined && !isBaseline(baseline)) return undefined;
		const items: KnownItem[] = [];
		for (const group of groups as unknown[]) {
			const read = itemsOf(group);
			if (!read) return undefined;
			items.push(...read);
		}
		const { readings, grown } = baseline ?? {};
		return {
			...{ scope, revision, items },
			...(readings === undefined || grown === undefined ? {} : { baseline: { readings, grown } }),
			...position(nextPage, since),
			// Written by serializePollState.
			...(isRecord(order) ? { order } : {}),
		};
	},
};

function itemsOf(group: unknown): KnownItem[] | undefined {
	if (!Array.isArray(group)) return undefined;
	const [label, kind, missed, missedSince, joined] = group as unknown[];
	if (typeof label !== 'string' || typeof missed !== 'number' || typeof missedSince !== 'number')
		return undefined;
	const shared = { label, missed, missedSince };
	const keys = split(joined, ITEM_KEY_LENGTH * (kind === 'hash+id' ? 2 : 1));
	switch (kind) {
		case 'hash':
			return keys?.map((hashKey) => ({ hashKey, ...shared }));
		case 'id':
			return keys?.map((idKey) => ({ idKey, ...shared }));
		case 'hash+id':
			return keys?.map((both) => ({
				hashKey: both.slice(0, ITEM_KEY_LENGTH),
				idKey: both.slice(ITEM_KEY_LENGTH),
				...shared,
			}));
		default:
			return undefined;
	}
}

function position(nextPage: unknown, since: unknown): Pick<PollState, 'nextPage' | 'since'> {
	return {
		nextPage: isCount(nextPage) && nextPage > 0 ? nextPage : 1,
		...(typeof since === 'number' ? { since } : {}),
	};
}

function split(joined: unknown, length: number): string[] | undefined {
	if (typeof joined !== 'string' || joined.length % length !== 0) return undefined;
	return Array.from({ length: joined.length / length }, (_, index) =>
		joined.slice(index * length, (index + 1) * length),
	);
}

function isBaseline(value: unknown): value is Baseline {
	return isRecord(value) && isCount(value.readings) && typeof value.grown === 'boolean';
}

function isCount(value: unknown): value is number {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
