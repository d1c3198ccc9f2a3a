import type { IDataObject } from 'n8n-workflow';

import { AROUND, FIELDS, type Assumption, type RecordKind } from '../shared/assumptions';
import { Fields, isRecord, normalizedName } from '../shared/jsonFields';

/**
 * What a response contains: nothing, a record, a list, a list that is not whole. The reference does not show most bodies
 * (docs/api-reference.md#what-is-not-documented). `failure.ts` says what is a failure, `signIn.ts` finds the token.
 */

const { description, event, folder, video, wrapper } = AROUND;
const DESCRIPTIONS = [description, event, folder, video, wrapper].flatMap(({ values }) => values);

/** Identifiers that only a record of the service has: a request has an ID, too, and related things have theirs. */
const OWN_IDENTIFIERS = Object.values(FIELDS)
	.flatMap(({ hash, id }) => [...hash.values, ...id.values])
	.filter((name) => name !== 'id' && !/^(folder|gallery)/.test(name));

/** Whether a value is a record of the service, and not what wraps one or reports a failure. */
export function isServiceRecord(value: unknown): value is IDataObject {
	return isRecord(value) && new Fields(value).text(OWN_IDENTIFIERS) !== undefined;
}

/**
 * Unwraps a body: its content is under the resource's own name (`event`) or a usual one (`data`, `items`), or under one in the other.
 *
 * @param isContent what is not unwrapped; else the only element of an array is taken out of it
 * @returns `around`: the other fields of each object around the content, the outermost first
 */
function contentOf(body: unknown, kind: RecordKind, isContent: (value: unknown) => boolean) {
	const elementOf = (value: unknown) =>
		Array.isArray(value) && value.length === 1 && !isContent(value) ? (value[0] as unknown) : value;
	let value = elementOf(body);
	const around: IDataObject[] = [];
	while (around.length < 2 && isRecord(value) && !isContent(value)) {
		const name = wrapperIn(value, kind);
		if (name === undefined) break;
		const { [name]: inner, ...others } = value;
		around.push(others);
		value = elementOf(inner);
	}
	return { value, around };
}

/** The field of an object that has the content; a count or a text is not content. */
function wrapperIn(body: IDataObject, kind: RecordKind): string | undefined {
	const names = Object.keys(body).filter((name) => typeof body[name] === 'object');
	const found = [...AROUND[kind].values, ...wrapper.values].flatMap(
		(plainName) => names.find((name) => normalizedName(name) === plainName) ?? [],
	);
	return found.find((name) => body[name] !== null) ?? found[0];
}

/** One response of a list, and what it says of the whole list. */
export interface ListPart {
	records: IDataObject[];
	/** How many records the whole list has, where the response says so. */
	total?: number;
	/** How many pages it has, where the response says so. */
	pages?: number;
	/** Whether it says that another part follows. */
	hasMore: boolean;
}

/**
 * The list in a 2xx response: an array, see {@link contentOf}; `null` and no content (204) for an empty list. What a response says of the
 * list is beside the array, above it, or in an object beside or above it.
 *
 * @returns undefined when there is no list: an empty body, a text, an object without an array
 */
export function listIn(statusCode: number, body: unknown, kind: RecordKind): ListPart | undefined {
	const { value, around } = contentOf(body, kind, Array.isArray);
	const list: unknown = statusCode === 204 || value === null ? [] : value;
	if (!Array.isArray(list) || !list.every(isRecord)) return undefined;
	const beside = around.map((record) => new Fields(record));
	const below = beside.flatMap((fields) => DESCRIPTIONS.map((name) => fields.value(name)).filter(isRecord));
	const about = [...beside, ...below.map((record) => new Fields(record))];
	// The greatest: one of them may be about this page. 0 stands for none.
	const greatest = ({ values: names }: Assumption) =>
		Math.max(0, ...about.flatMap((fields) => fields.numbers(names)).filter(Number.isSafeInteger));
	const count = greatest(AROUND.count);
	const total = greatest(AROUND.total) || (count > list.length ? count : undefined);
	const hasMore = about.some((fields) => fields.all(AROUND.more.values).some(saysYes));
	return { records: list, total, pages: greatest(AROUND.pages) || undefined, hasMore };
}

/** Whether a field of `AROUND.more` is true, or names the next part: by a number, an address or an object with one of these. */
function saysYes(value: unknown): boolean {
	if (isRecord(value)) return ['href', 'url', 'page'].some((name) => saysYes(value[name]));
	return !/^(0|false|null|undefined|)$/.test(String(value));
}

/**
 * The record of a response about one thing, bare or wrapped, see {@link contentOf}. Fields beside a wrapped record, such as `rtmpUrl`, are
 * added to it, but not the envelope's own.
 *
 * @returns what is no record, as it is
 */
export function recordIn(body: unknown, kind: RecordKind): unknown {
	const { value, around } = contentOf(body, kind, isServiceRecord);
	if (!isRecord(value)) return body;
	const beside = around
		.flatMap((fields) => Object.entries(fields))
		.filter(([name]) => !AROUND.envelope.values.includes(normalizedName(name)));
	return { ...Object.fromEntries(beside), ...value };
}

/** Whether a 2xx response contains no record: no body, `null`, an empty list or object, or one of these in a wrapper. */
export function isNothing(body: unknown, kind: RecordKind): boolean {
	const { value } = contentOf(body, kind, isServiceRecord);
	if (value === undefined || value === null || value === '') return true;
	return typeof value === 'object' && Object.keys(value).length === 0;
}
