import { FINGERPRINT_LENGTH } from './fingerprint';

/** What one poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what the node watches. Another scope means another memory, and a new baseline. */
	scope: string;
	/** For each thing ever listed, by its fingerprint: an event's status, the day on which a video was created. */
	knownItems: ReadonlyMap<string, string>;
	/** Whether the list was read to its end once. Until then, what is listed for the first time is not new. */
	complete: boolean;
	/** Page that the next poll begins with: 1, or where a poll ran out of time. */
	nextPage: number;
	/** Videos created before this time are old, known or not. Milliseconds since the epoch. */
	since?: number;
}

/**
 * The form in which n8n's database keeps a memory as JSON. The keys are grouped by label, their fingerprints one after
 * the other without a separator: 12 bytes for each thing.
 */
export type StoredPollState = {
	version: 1;
	scope: string;
	complete: boolean;
	nextPage: number;
	since?: number;
	labels: Record<string, string>;
};

export function serializePollState({
	scope,
	knownItems,
	complete,
	nextPage,
	since,
}: PollState): StoredPollState {
	const groups = new Map<string, string[]>();
	for (const [key, label] of knownItems) {
		const group = groups.get(label) ?? [];
		group.push(key);
		groups.set(label, group);
	}
	const joined = [...groups].map(([label, keys]) => [label, keys.join('')] as const);
	return {
		version: 1,
		scope,
		complete,
		nextPage,
		...(since === undefined ? {} : { since }),
		labels: Object.fromEntries(joined),
	};
}

/**
 * The memory in what n8n kept, in any format that a release of this package wrote. Undefined, which means a new baseline,
 * when there is none, when it belongs to another scope, and when it cannot be read.
 */
export function parsePollState(stored: unknown, scope: string): PollState | undefined {
	if (!isObject(stored) || typeof stored.version !== 'number') return undefined;
	const memory = READERS[stored.version]?.(stored);
	return memory?.scope === scope ? memory : undefined;
}

/** One reader for each format ever released, by its version. */
const READERS: Record<number, (stored: Record<string, unknown>) => PollState | undefined> = {
	1: ({ scope, complete, nextPage, since, labels }) => {
		if (typeof scope !== 'string' || typeof complete !== 'boolean' || !isObject(labels)) return undefined;
		const keys = new Map<string, string>();
		for (const [label, joined] of Object.entries(labels)) {
			if (typeof joined !== 'string' || joined.length % FINGERPRINT_LENGTH !== 0) return undefined;
			for (let at = 0; at < joined.length; at += FINGERPRINT_LENGTH) {
				keys.set(joined.slice(at, at + FINGERPRINT_LENGTH), label);
			}
		}
		return {
			scope,
			complete,
			nextPage: typeof nextPage === 'number' && Number.isInteger(nextPage) && nextPage > 0 ? nextPage : 1,
			...(typeof since === 'number' ? { since } : {}),
			knownItems: keys,
		};
	},
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
