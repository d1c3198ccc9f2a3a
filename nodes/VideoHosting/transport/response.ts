import type { IDataObject } from 'n8n-workflow';

import { Fields, isRecord, normalizedName } from '../shared/jsonFields';
import type { ServiceResponse } from './serviceRequest';

/**
 * What a response is: a failure and whose, nothing, a record, a list, a list that is not whole. The reference does not show most bodies
 * (docs/api-reference.md#what-is-not-documented). No other file tests a body or a status for that; `signIn.ts` finds the token.
 */

export type RecordKind = 'event' | 'folder' | 'video';

/**
 * Normalized names of what identifies a record of each kind, the documented one first: others may be of related things. An `id` alone may
 * be that of anything.
 */
export const IDENTIFIERS = {
	event: { hash: ['hash', 'eventhash', 'hashevent'], id: ['eventid', 'idevent', 'id'] },
	folder: { hash: ['uuid', 'folderuuid', 'galleryuuid'], id: ['id', 'folderid', 'galleryid'] },
	video: { hash: ['hash', 'videohash', 'hashvideo'], id: ['videoid', 'idvideo', 'uuid', 'id'] },
} as const;

/** How the service itself says that it has no such page. */
export const NO_SUCH_PAGE = /^(400|404|416|422)$/;

/** How a response says that the address leads nowhere, whatever the request contains. */
export const NOT_FOUND = /^(404|410)$/;

/** How the service itself says that it has no such record. */
export const NO_SUCH_RECORD = /^(400|404|410|422)$/;

/** How the service itself rejects a page size or a sort direction. */
export const REJECTED_VALUE = /^(400|422)$/;

/** What a response calls its content. The reference calls folders galleries. */
const NAMES = {
	event: ['event', 'events'],
	folder: ['folder', 'folders', 'gallery', 'galleries'],
	video: ['video', 'videos'],
};

/** What else a response usually wraps its content in. */
const WRAPPERS = ['data', 'items', 'results', 'records', 'rows', 'content', 'list', 'result', 'payload'];

/** Fields that only describe the response: they are left out next to a record. */
const ENVELOPE = ['id', 'success', 'message', 'status', 'statuscode', 'code', 'error', 'errors', 'timestamp'];

/** Objects that a response describes its list in, and their fields: how many records or pages there are, and that there are more. */
const DESCRIPTIONS = [
	...['meta', 'metadata', 'pagination', 'paging', 'page', 'pageinfo', 'links'],
	...Object.values(NAMES).flat(),
	...WRAPPERS,
];
const TOTAL = ['total', 'totalcount', 'totalitems', 'totalrecords', 'totalresults', 'totalelements'];
const PAGES = ['totalpages', 'pagecount', 'lastpage'];
const MORE = ['hasmore', 'hasnext', 'hasnextpage', 'next', 'nextpage', 'nextpageurl'];

/** Identifiers that only a record of the service has: a request has an ID, too, and related things have theirs. */
const OWN_IDENTIFIERS = Object.values(IDENTIFIERS)
	.flatMap(({ hash, id }): string[] => [...hash, ...id])
	.filter((name) => name !== 'id' && !/^(folder|gallery)/.test(name));

/** Whether an object is a record of the service, and not what wraps one or reports a failure. */
function isServiceRecord(value: IDataObject): boolean {
	return new Fields(value).text(OWN_IDENTIFIERS) !== undefined;
}

/**
 * What JSON of the service says in `error` and `message`; both when they differ. Anything else was sent by something between n8n
 * and the service.
 */
export function serviceText(body: unknown): string | undefined {
	const fields = isRecord(body) ? [body.error, body.message] : [];
	const texts = fields.filter((text) => typeof text === 'string').map(firstLine);
	return [...new Set(texts)].filter((text) => text !== '').join(': ') || undefined;
}

/** Whether a response is not 2xx, or its JSON says that the request failed. A record may have such fields of its own. */
export function isFailure({ body, statusCode }: ServiceResponse): boolean {
	if (statusCode >= 300) return true;
	if (!isRecord(body) || isServiceRecord(body)) return false;
	const { error, status, success } = body;
	return (
		success === false ||
		error === true ||
		(typeof error === 'string' && error.trim() !== '') ||
		(typeof status === 'string' && ['error', 'fail'].includes(status.toLowerCase()))
	);
}

/** Whether something between n8n and the service sent an error: a text or a web page, also without its body, as to HEAD. */
export function isFromBetween({ body, headers }: ServiceResponse): boolean {
	return typeof body === 'string' && (body !== '' || !/^$|json/i.test(headers['content-type'] ?? ''));
}

/** The first line of a text. */
export function firstLine(text: string): string {
	return text.trim().split(/[\r\n]/, 1)[0] ?? '';
}

/** Whether a body that should be JSON is a web page, as proxies and gateways send it. */
export function isWebPage(body: unknown): boolean {
	return typeof body === 'string' && /^\s*<(!--|!doctype|html|head|body|\?xml)/i.test(body);
}

/**
 * Names a 2xx body that is not JSON, for a message. n8n returns a body that it cannot parse as text
 * (docs/n8n-internals.md#unparsed-json).
 */
export function unreadableBody(body: unknown): string | undefined {
	if (isWebPage(body)) return 'a web page';
	return typeof body === 'string' && /^\s*[{[]/.test(body) ? 'incomplete JSON' : undefined;
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
 * The list in a 2xx response. Accepted: an array; an array under the resource's own name (`events`) or a usual one (`data`, `items`, …),
 * or one inside the other (`data.items`); `null` and no content (204) for an empty list.
 *
 * @returns undefined when there is no list: an empty body, a text, an object without an array
 */
export function listIn(statusCode: number, body: unknown, kind: RecordKind): ListPart | undefined {
	const records = statusCode === 204 ? [] : arrayIn(body, kind);
	if (!records?.every(isRecord)) return undefined;
	const about = describing(body);
	// The greatest: one of them may be about this page.
	const numberIn = (names: readonly string[]) =>
		about
			.flatMap((fields) => names.map((name) => Number(fields.text([name]))))
			.filter(Number.isSafeInteger)
			.sort((one, other) => other - one)[0];
	const hasMore = about.some((fields) => MORE.some((name) => saysYes(fields.value(name))));
	const pages = numberIn(PAGES);
	const count = numberIn(['count']);
	const isCountOfPage = hasMore || pages !== undefined || count === records.length;
	const total = numberIn(TOTAL) ?? (isCountOfPage ? undefined : count);
	return { records, total, pages, hasMore };
}

/** Whether a field of {@link MORE} is true, or names the next part: by a number, an address or an object with one of these. */
function saysYes(value: unknown): boolean {
	if (isRecord(value)) return ['href', 'url', 'page'].some((name) => saysYes(value[name]));
	return !/^(0|false|null|undefined|)$/.test(String(value));
}

/** The fields of a response that describe its list. */
function describing(body: unknown): Fields[] {
	if (!isRecord(body)) return [];
	const fields = new Fields(body);
	return [fields, ...DESCRIPTIONS.flatMap((name) => describing(fields.value(name)))];
}

function arrayIn(body: unknown, kind: RecordKind): unknown[] | undefined {
	if (body === null) return [];
	// Without the type, `any[]` would be returned.
	if (Array.isArray(body)) return body as unknown[];
	const content = isRecord(body) ? wrapped(body, kind) : undefined;
	return content && arrayIn(content.value, kind);
}

/** How a 404 of the service says that a list is empty, rather than that its URL or its plan does not exist. */
export const EMPTY_LIST =
	/(^|: )(there are )?no ([a-z]+ ){0,2}(events?|folders?|galler(y|ies)|videos?|records?|results?|items?|entr(y|ies)|data)( were)?( found| available)?( yet)?( (in|for|with) (this|the) (plan|application|name))?[.!]?$/i;

/**
 * The record of a response about one thing. Accepted: the bare record; one under the resource's own name (`event`) or a usual one; an array
 * with one element. Fields next to a wrapped record, such as `rtmpUrl`, are added to it, but not the envelope's own.
 *
 * @returns what is no record, as it is
 */
export function recordIn(body: unknown, kind: RecordKind): unknown {
	if (Array.isArray(body)) return body.length === 1 ? recordIn(body[0], kind) : body;
	if (!isRecord(body) || isServiceRecord(body)) return body;
	const content = wrapped(body, kind);
	const record = content && recordIn(content.value, kind);
	if (!content || !isRecord(record)) return body;
	const others = Object.entries(body).filter(
		([name]) => name !== content.name && !ENVELOPE.includes(normalizedName(name)),
	);
	return { ...Object.fromEntries(others), ...record };
}

/** Whether a 2xx response contains no record: no body, `null`, an empty list or object, or one of these in a wrapper. */
export function isNothing(body: unknown, kind: RecordKind): boolean {
	if (body === null || body === undefined || body === '') return true;
	if (Array.isArray(body)) return body.length === 0;
	if (!isRecord(body) || isServiceRecord(body)) return false;
	const content = wrapped(body, kind);
	return content ? isNothing(content.value, kind) : Object.keys(body).length === 0;
}

/** The content of a response under one of the usual names, with the name of its field; a count or a text is not content. */
function wrapped(body: IDataObject, kind: RecordKind): { name: string; value: unknown } | undefined {
	const names = Object.keys(body).filter((name) => typeof body[name] === 'object');
	const found = [...NAMES[kind], ...WRAPPERS].flatMap((plainName) => {
		const name = names.find((each) => normalizedName(each) === plainName);
		return name === undefined ? [] : [{ name, value: body[name] }];
	});
	return found.find(({ value }) => value !== null) ?? found[0];
}
