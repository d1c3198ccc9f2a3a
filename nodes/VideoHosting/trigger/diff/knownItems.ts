import { itemKey } from './fingerprint';

/** What identifies an event or a video in its list; at least one of the two is set. */
export interface Identity {
	hash?: string;
	/** The ID as text, with a prefix where it could be mistaken for a hash. */
	id?: string;
}

/** An event or a video that earlier polls listed. */
export interface KnownItem {
	/** {@link itemKey} of the hash. In a state of version 1, that of the ID if the item had no hash. */
	hashKey?: string;
	/** {@link itemKey} of the ID. */
	idKey?: string;
	/** An event's status, or the day on which a video was created (`YYYY-MM-DD`); empty when unknown or not needed. */
	label: string;
	/** Complete readings of the list in a row that did not contain the item; {@link SEEN} during a reading that did. */
	missed: number;
	/** Hour of the first of these readings, in hours since the epoch; 0 when the item was not missed. */
	missedSince: number;
}

/** Value of `missed` for an item that the current reading has already listed. */
export const SEEN = -1;

/** One record as a poll read it. */
export interface Reading<T> {
	identity: Identity;
	label: string;
	record: T;
}

/** A reading next to what was known of the same item. */
export interface Observation<T> extends Reading<T> {
	/** Label at the last reading that listed the item; undefined for an item listed for the first time. */
	previousLabel?: string;
}

/**
 * Compares a reading of a list with the known items.
 *
 * The hash identifies an item. The ID identifies it where the record or the known item has no hash, so that an item whose
 * hash appears later, or disappears, stays the same item. An item listed twice counts once, with its first record. An
 * item that was not listed keeps its label.
 *
 * @returns the observations in the order of the list, and the known items after it, each listed one marked as {@link SEEN}
 */
export function observe<T>(
	known: readonly KnownItem[],
	listed: Iterable<Reading<T>>,
): { observations: Array<Observation<T>>; items: KnownItem[] } {
	const items = new Set(known.map((item) => ({ ...item })));
	const byKey = new Map<string, KnownItem>();
	for (const item of items) {
		for (const key of [item.idKey, item.hashKey]) if (key !== undefined) byKey.set(key, item);
	}
	const listedNow = new Set<KnownItem>();
	const observations: Array<Observation<T>> = [];
	for (const reading of listed) {
		const hashKey = reading.identity.hash === undefined ? undefined : itemKey(reading.identity.hash);
		const idKey = reading.identity.id === undefined ? undefined : itemKey(reading.identity.id);
		const byHash = hashKey === undefined ? undefined : byKey.get(hashKey);
		const byId = idKey === undefined ? undefined : byKey.get(idKey);
		const isSameById = byId && (hashKey === undefined || (byId.hashKey ?? idKey) === idKey);
		const found = byHash ?? (isSameById ? byId : undefined);
		if (found && listedNow.has(found)) continue;

		const item: KnownItem = found ?? { label: reading.label, missed: SEEN, missedSince: 0 };
		observations.push({ ...reading, ...(found ? { previousLabel: found.label } : {}) });
		// The same item, once known by its hash alone and once by its ID alone.
		if (byHash && isSameById && byId !== byHash) items.delete(byId);
		Object.assign(item, { label: reading.label, missed: SEEN, missedSince: 0 });
		// Version 1 stored the key of the ID in the place of the hash.
		if (hashKey !== undefined) item.hashKey = hashKey;
		else if (item.hashKey === idKey) delete item.hashKey;
		if (idKey !== undefined) item.idKey = idKey;
		if (item.hashKey !== undefined) byKey.set(item.hashKey, item);
		if (item.idKey !== undefined) byKey.set(item.idKey, item);
		items.add(item);
		listedNow.add(item);
	}
	return { observations, items: [...items] };
}

/** Whether a reading lists every known item, or an earlier part of the same reading did. */
export function areAllListed(known: readonly KnownItem[], listed: Iterable<Identity>): boolean {
	const keys = new Set<string | undefined>();
	for (const { hash, id } of listed) {
		for (const text of [hash, id]) if (text !== undefined) keys.add(itemKey(text));
	}
	return known.every(
		({ missed, hashKey, idKey }) =>
			missed === SEEN ||
			(hashKey !== undefined && keys.has(hashKey)) ||
			(idKey !== undefined && keys.has(idKey)),
	);
}

/** Complete readings in a row that must not list an item before it is forgotten. */
export const READINGS_BEFORE_FORGETTING = 5;

/** Hours for which no complete reading may list an item before it is forgotten. */
export const HOURS_BEFORE_FORGETTING = 24;

const HOUR_MS = 60 * 60 * 1000;

/**
 * The known items after a list was read to its end: those that the reading did not list were missed once more, and are
 * forgotten when both limits above are reached. A reading that lists nothing at all counts for none of them.
 *
 * @param items as {@link observe} returned them, over one poll or several
 * @param now milliseconds since the epoch
 */
export function afterCompleteReading(items: readonly KnownItem[], now: number): KnownItem[] {
	const hour = Math.floor(now / HOUR_MS);
	const isEmpty = !items.some(({ missed }) => missed === SEEN);
	return items.flatMap((item) => {
		if (item.missed === SEEN) return [{ ...item, missed: 0 }];
		if (isEmpty) return [item];
		// A clock that was set back must not keep an item for ever.
		const missedSince = item.missed === 0 ? hour : Math.min(item.missedSince, hour);
		const missed = Math.min(item.missed + 1, READINGS_BEFORE_FORGETTING);
		const isOver = missed === READINGS_BEFORE_FORGETTING && hour - missedSince >= HOURS_BEFORE_FORGETTING;
		return isOver ? [] : [{ ...item, missed, missedSince }];
	});
}
