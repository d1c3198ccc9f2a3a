import type { Fields } from '../shared/jsonFields';
import { IDENTIFIERS, type RecordKind } from '../transport/response';

/** What the service sent: for the output alone. Its fields are read once, in event.ts, folder.ts and video.ts. */
export type ServiceRecord = object;

/** A record of a list. */
export interface Listed {
	readonly record: ServiceRecord;
	/** Tells the record from the others of its kind: its own hash, UUID and ID together, else its whole content. */
	readonly identity: string;
}

/** What identifies a record, as far as it contains that. IDs of related things do not count. */
export function identityOf(fields: Fields, kind: RecordKind, record: ServiceRecord): string {
	const { hash, id } = IDENTIFIERS[kind];
	const own = [...new Set([...hash, ...id].flatMap((name) => fields.text([name]) ?? []))];
	return own.length > 0 ? own.join(' ') : JSON.stringify(record);
}

/** Whether two UUIDs are the same, in upper or lower case; undefined stands for none. */
export function isSameUuid(one: string | undefined, other: string | undefined): boolean {
	return one?.toLowerCase() === other?.toLowerCase();
}

/** Whether two names are the same but for white space around them and the way their accents are written. */
export function isSameName(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && comparableName(one) === comparableName(other);
}

/** The same letters may be written with combined or separate accents (Unicode normalization form C). */
export function comparableName(name: string): string {
	return name.trim().normalize('NFC');
}
