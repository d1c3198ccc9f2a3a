import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { operationError } from '../transport/errors';
import type { TriggerSettings } from './settings';

/** What a poll leaves for the next one. */
export interface PollState {
	/** Fingerprint of what the node watches; a state of another scope is not used. */
	scope: string;
	/** When the poll had read the list, in milliseconds since the epoch. */
	at: number;
	/** What was compared of each record, by its key. */
	known: Map<string, string>;
	/** Since when known records are not listed, in milliseconds since the epoch, by their keys. */
	missing: Map<string, number>;
	/** The first poll found an empty list. That may be a failure of the service, so the next poll is silent as well. */
	isUnconfirmed: boolean;
}

/** A {@link PollState} in n8n's static data. */
export type StoredState = Pick<PollState, 'scope' | 'at' | 'isUnconfirmed'> & {
	known: Record<string, string>;
	missing: Record<string, number>;
};

/** What a value of Trigger On watches. */
export interface Source {
	/**
	 * Reads the list and compares it with the state of the poll before.
	 *
	 * @param before undefined in the first poll
	 * @throws NodeApiError or NodeOperationError; nothing is changed then
	 */
	poll(
		context: IPollFunctions,
		settings: TriggerSettings,
		before: PollState | undefined,
	): Promise<{ items: IDataObject[]; state: PollState }>;
	/** The newest record that matches, as the item of a manual test; undefined for none. */
	sample(context: IPollFunctions, settings: TriggerSettings): Promise<IDataObject | undefined>;
}

/** A record of a list: the key that identifies it, and the text that polls compare. */
export interface Listed<Item> {
	key: string;
	value: string;
	item: Item;
}

/** A record that is new, or whose value is another one. */
export interface Change<Item> extends Listed<Item> {
	/** The value before; undefined for a record that was not known. */
	previous: string | undefined;
}

/** A record that is not listed for longer is forgotten: if it is listed again, it is new. */
export const FORGOTTEN_AFTER_MS = 24 * 60 * 60 * 1000;

/**
 * Compares the records of a list with what earlier polls know.
 *
 * @param before undefined in the first poll, which has no changes
 * @param isEmpty whether the service's list has no records at all, also none that are not watched
 * @returns the changes in the order of the list
 */
export function compare<Item>(
	before: PollState | undefined,
	listed: ReadonlyArray<Listed<Item>>,
	{ scope, isEmpty }: { scope: string; isEmpty: boolean },
): { changes: Array<Change<Item>>; state: PollState } {
	const at = Date.now();
	const known = new Map(before?.known);
	const missing = new Map<string, number>();
	const changes: Array<Change<Item>> = [];
	for (const each of listed) {
		const previous = known.get(each.key);
		if (previous !== each.value) changes.push({ ...each, previous });
		known.set(each.key, each.value);
	}
	const listedKeys = new Set(listed.map(({ key }) => key));
	for (const key of known.keys()) {
		if (!listedKeys.has(key)) missing.set(key, before?.missing.get(key) ?? at);
	}
	const isSilent = before === undefined || before.isUnconfirmed;
	const isUnconfirmed = before === undefined && isEmpty;
	return { changes: isSilent ? [] : changes, state: { scope, at, known, missing, isUnconfirmed } };
}

/** The state without the records that were not listed for {@link FORGOTTEN_AFTER_MS}. */
export function withoutForgotten(state: PollState): PollState {
	const isKept = ([key]: [string, unknown]) =>
		state.at - (state.missing.get(key) ?? state.at) <= FORGOTTEN_AFTER_MS;
	const known = new Map([...state.known].filter(isKept));
	return { ...state, known, missing: new Map([...state.missing].filter(isKept)) };
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

/** How the records of a list are compared; undefined for what a record does not contain. */
export interface Reader<Item> {
	keyOf: (item: Item) => string | undefined;
	valueOf: (item: Item) => string | undefined;
	/** What both need, for a message: `a hash or an ID`. */
	needs: string;
}

/**
 * The records of a list that can be compared.
 *
 * @throws NodeOperationError when the list has records, and none of them can
 */
export function comparable<Item>(
	context: IPollFunctions,
	kind: 'Event' | 'Video',
	items: readonly Item[],
	{ keyOf, valueOf, needs }: Reader<Item>,
): Array<Listed<Item>> {
	const listed = items.flatMap((item) => {
		const [key, value] = [keyOf(item), valueOf(item)];
		return key === undefined || value === undefined ? [] : [{ key, value, item }];
	});
	if (listed.length > 0 || items.length === 0) return listed;
	throw operationError(
		context,
		`No ${kind.toLowerCase()} of this plan has ${needs}, so the trigger cannot notice changes`,
		`Check the output of ${kind} → Get Many.`,
	);
}
