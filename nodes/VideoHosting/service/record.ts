import { inZone, toDate, type DateValue } from '../parameters/dates';
import { quoted } from '../parameters/values';
import { FIELDS, type RecordKind } from '../shared/assumptions';
import { isRecord, type Fields } from '../shared/jsonFields';
import { isServiceRecord, recordIn } from '../transport/response';
import { OperationError } from '../transport/serviceError';
import { withoutMarks } from './mark';

/** How long lists may lack what is new, such as an event that was created five seconds ago; milliseconds. */
export const LAG_MS = 30 * 1000;

/** JSON of the service. event.ts, folder.ts and video.ts read its fields once. */
export type ServiceRecord = object;

/** A record of a list. */
export interface Listed {
	/** As it comes out: the fields that the reference names first, then those of the service. */
	readonly record: ServiceRecord;
	/** The record's own hash, UUID and ID, in lower case. IDs of related things do not count. */
	readonly ids: readonly string[];
	/** These together, as the service wrote them; undefined without any. */
	readonly key?: string;
	/** Tells the record from the others of its kind: the key, else the whole content. */
	readonly identity: string;
}

/**
 * What all kinds of records have.
 *
 * @param known the fields that the reference names; undefined for what the record does not contain. One of the same name is replaced:
 * `eventId: "12"` becomes `12`.
 */
export function listedOf(
	fields: Fields,
	kind: RecordKind,
	record: ServiceRecord,
	known: Record<string, string | number | undefined>,
): Listed {
	const { hash, id } = FIELDS[kind];
	const own = [...new Set([...hash.values, ...id.values].flatMap((name) => fields.text([name]) ?? []))];
	const key = own.length > 0 ? own.join(' ') : undefined;
	const ids = own.map((each) => each.toLowerCase());
	const found = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
	return { record: { ...found, ...record, ...found }, ids, key, identity: key ?? JSON.stringify(record) };
}

/** The record in a response about one thing; anything else as `result`, which no reader knows. */
export function recordOf(response: unknown, kind: RecordKind): ServiceRecord {
	const record = recordIn(response, kind);
	return isRecord(record) ? record : { result: record };
}

/**
 * What the response to a change says: a record as it comes out, or what is no record as it is.
 *
 * @param toItem reads the record
 */
export function changedRecord(
	response: unknown,
	kind: RecordKind,
	toItem: (record: ServiceRecord) => Listed & { title?: string; name?: string },
): unknown {
	const value = recordIn(response, kind);
	const { name, record, title = name } = toItem(isRecord(value) ? value : {});
	// An ID alone may be that of the request.
	return isServiceRecord(value) || title !== undefined ? record : withoutMarks(value);
}

/**
 * Checks that records have a field that is needed, under a name and in a form that can be read. Some of them may lack the field: the
 * service calls the title `subject` in all of them, or one event has no date.
 *
 * @param problem the message when none of several records has it
 * @throws OperationError
 */
export function checkSome<Item>(items: readonly Item[], has: (item: Item) => boolean, problem: string): void {
	if (items.length === 0 || items.some(has)) return;
	throw new OperationError(
		problem,
		'Check the output of Get Many of the node Video Hosting, without filters.',
	);
}

/** Compares two UUIDs, in upper or lower case; undefined stands for none. */
export function isSameUuid(one: string | undefined, other: string | undefined): boolean {
	return one?.toLowerCase() === other?.toLowerCase();
}

/** Compares two names as {@link comparableName} makes them. */
export function isSameName(one: string | undefined, other: string | undefined): boolean {
	return one !== undefined && other !== undefined && comparableName(one) === comparableName(other);
}

/** A clause about a title or name that the service has stored otherwise, such as cut; undefined when it has not, or did not say. */
export function storedNameNote(sent: string, stored = sent): string | undefined {
	return isSameName(stored, sent)
		? undefined
		: `it was stored as ${quoted(stored)}, so Skip If Exists cannot find it`;
}

/** Soft hyphens, zero-width characters, marks of the writing direction, byte order marks. */
const INVISIBLE = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF]/g;

/** Anything but words of ASCII with a space between them. */
const UNUSUAL = /[^ -~]|^ | $| {2}/;

/**
 * A name as it looks, so that a title which was copied from a web page is found: without invisible characters and surrounding white
 * space, and any white space within is one space. The same letters may be written with combined or separate accents (Unicode
 * normalization form C).
 */
export function comparableName(name: string): string {
	if (!UNUSUAL.test(name)) return name;
	return name.normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/**
 * A date in a record of the service, which writes `YYYY-MM-DD HH:mm:ss` when an event is created (docs/api-reference.md#event).
 * Also accepted: ISO 8601, and seconds or milliseconds since 1970. Undefined for anything else, such as `01/05/2030`.
 */
export function parseServiceDate(text: string): DateValue | undefined {
	const number = /^(\d{10}|\d{13})$/.exec(text)?.[1]?.padEnd(13, '0');
	try {
		return toDate('Date', number === undefined ? text : Number(number));
	} catch {
		return undefined;
	}
}

/**
 * The moment of a date in a record, in milliseconds since 1970; undefined when {@link parseServiceDate} cannot read it.
 *
 * @param timeZone of a date without an offset
 */
export function serviceTime(text: string | undefined, timeZone: string): number | undefined {
	const date = parseServiceDate(text ?? '');
	return date && inZone(date, timeZone).toMillis();
}
