import { createHash } from 'crypto';

/** Characters of a fingerprint, 6 bits each. */
const FINGERPRINT_LENGTH = 12;

/** Characters of a record key, 6 bits each. */
export const RECORD_KEY_LENGTH = 9;

/** The first 72 bits of a text's SHA-256 in base64url. */
export function fingerprint(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/**
 * A short key for the hash or the ID of an event or a video, so that the stored state stays small: the first 54 bits of the
 * text's SHA-256 in base64url. Among 20,000 keys the chance that any two are equal is about 1 in 10^8.
 */
export function recordKey(text: string): string {
	return fingerprint(text).slice(0, RECORD_KEY_LENGTH);
}

/** What identifies an event or a video in its list. */
export interface Identity {
	hash?: string;
	/** The ID as text, with a prefix where it could be mistaken for a hash. */
	id?: string;
}

/** The keys under which a record is known, see {@link recordKey}; at least one of the two is set. */
export interface RecordKeys {
	hashKey?: string;
	idKey?: string;
}

/** A record that earlier polls listed. */
export interface KnownRecord extends RecordKeys {
	/** What the trigger compares: an event's status, its title and date, …; empty when it is enough to know the record. */
	value: string;
	/** Complete readings of the list in a row that did not contain the record; {@link SEEN} during a reading that did. */
	missed: number;
	/** Hour of the first of these readings, in hours since the epoch; 0 when the record was not missed. */
	missedSince: number;
}

/** Value of `missed` for a record that the current reading has already listed. */
export const SEEN = -1;

/** A record as a poll read it, with what is compared of it. */
export interface ComparableRecord<T> {
	identity: Identity;
	value: string;
	record: T;
}

/** A record next to what was known of it. */
export interface ComparedRecord<T> extends ComparableRecord<T> {
	/** Value at the last reading that listed the record; undefined for a record listed for the first time. */
	previousValue?: string;
}

export function keysOf({ hash, id }: Identity): RecordKeys {
	const keyOf = (text: string | undefined) => (text === undefined ? undefined : recordKey(text));
	return { hashKey: keyOf(hash), idKey: keyOf(id) };
}

/**
 * Compares a reading of a list with the known records.
 *
 * The hash identifies a record. The ID identifies it where the listed or the known record has no hash, so that a record whose
 * hash appears later, or disappears, stays the same one. A record listed twice counts once, as listed first. A record that was
 * not listed keeps its value.
 *
 * @returns the compared records in the order of the list, and the known records after it, each listed one marked as
 * {@link SEEN}
 */
export function compare<T>(
	before: readonly KnownRecord[],
	listed: Iterable<ComparableRecord<T>>,
): { compared: Array<ComparedRecord<T>>; known: KnownRecord[] } {
	const known = new Set(before.map((record) => ({ ...record })));
	const byKey = new Map<string, KnownRecord>();
	const note = (record: KnownRecord) => {
		for (const key of [record.idKey, record.hashKey]) if (key !== undefined) byKey.set(key, record);
	};
	known.forEach(note);
	const listedNow = new Set<KnownRecord>();
	const compared: Array<ComparedRecord<T>> = [];
	for (const each of listed) {
		const { hashKey, idKey } = keysOf(each.identity);
		const byHash = hashKey === undefined ? undefined : byKey.get(hashKey);
		const byId = idKey === undefined ? undefined : byKey.get(idKey);
		const isSameById = byId && (hashKey === undefined || byId.hashKey === undefined);
		const found = byHash ?? (isSameById ? byId : undefined);
		if (found && listedNow.has(found)) continue;

		compared.push({ ...each, previousValue: found?.value });
		// The same record, once known by its hash alone and once by its ID alone.
		if (byHash && isSameById && byId !== byHash) known.delete(byId);
		const keys = { hashKey: hashKey ?? found?.hashKey, idKey: idKey ?? found?.idKey };
		const seen = { ...keys, value: each.value, missed: SEEN, missedSince: 0 };
		const record: KnownRecord = found ? Object.assign(found, seen) : seen;
		note(record);
		known.add(record);
		listedNow.add(record);
	}
	return { compared, known: [...known] };
}

/** After how many complete readings in a row that do not list a record it is gone, and after how many hours. */
export interface GoneAfter {
	readings: number;
	hours: number;
}

/** After this, a record is forgotten: if it is listed again, it counts as new. */
export const FORGOTTEN_AFTER: GoneAfter = { readings: 5, hours: 24 };

/** After this, an event counts as deleted. */
export const DELETED_AFTER: GoneAfter = { readings: 2, hours: 0 };

const HOUR_MS = 60 * 60 * 1000;

/**
 * The known records after a list was read to its end: those that the reading did not list were missed once more.
 *
 * @param known as {@link compare} returned them, over one poll or several
 * @param now milliseconds since the epoch
 * @returns `gone`: those that were missed often and long enough
 */
export function afterCompleteReading(
	known: readonly KnownRecord[],
	now: number,
	after: GoneAfter,
): { kept: KnownRecord[]; gone: KnownRecord[] } {
	const hour = hourOf(now);
	const kept: KnownRecord[] = [];
	const gone: KnownRecord[] = [];
	for (const record of known) {
		if (record.missed === SEEN) {
			kept.push({ ...record, missed: 0 });
			continue;
		}
		// A clock that was set back must not keep a record for ever.
		const missedSince = record.missed === 0 ? hour : Math.min(record.missedSince, hour);
		const missed = Math.min(record.missed + 1, FORGOTTEN_AFTER.readings);
		const next = { ...record, missed, missedSince };
		(isGone(next, after, now) ? gone : kept).push(next);
	}
	return { kept, gone };
}

/** Whether a record was missed often and long enough; `now` in milliseconds since the epoch. */
export function isGone({ missed, missedSince }: KnownRecord, after: GoneAfter, now: number): boolean {
	return missed >= after.readings && hourOf(now) - missedSince >= after.hours;
}

function hourOf(time: number): number {
	return Math.floor(time / HOUR_MS);
}
