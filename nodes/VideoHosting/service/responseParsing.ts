import type { IDataObject } from 'n8n-workflow';

import { UUID_REGEX } from '../parameters/identifiers';
import { documentedStatus } from './eventStatuses';

/**
 * Every guess about undocumented responses (docs/api-reference.md#what-is-not-documented) is in this file, one small
 * function each. Field names are compared without case, underscores and hyphens: `eventId`, `event_id` and `EVENT-ID`
 * are the same name.
 */

const LIST_NAMES = [
	'data',
	'items',
	'results',
	'records',
	'rows',
	'content',
	'list',
	'result',
	'payload',
	'response',
];
const NESTED_DEPTH = 3;
/** Names that only a record has: an object with one of them is the record, not the wrapping of another. */
const RECORD_NAMES = [
	'hash',
	'eventhash',
	'hashevent',
	'videohash',
	'hashvideo',
	'uuid',
	'eventid',
	'videoid',
];

/** Whether a value is a plain JSON object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The records of a list answer. Accepted: an array; an array under the resource's own name (`events`) or a usual one
 * (`data`, `items`, …), also nested; the only array of objects in the answer; an array of the list and a count, as
 * database libraries give it; `null` for an empty list. Undefined when there is no list: an empty body, a web page, an
 * object without an array.
 */
export function extractList(
	answer: unknown,
	resourceName: string,
	depth = NESTED_DEPTH,
): IDataObject[] | undefined {
	if (answer === null) return [];
	if (Array.isArray(answer)) {
		const [list, count] = answer as unknown[];
		if (answer.length === 2 && Array.isArray(list) && typeof count === 'number') {
			return extractList(list, resourceName, depth - 1);
		}
		// JSON that was parsed: an element that is an object is an IDataObject.
		return answer.every(isRecord) ? (answer as IDataObject[]) : undefined;
	}
	if (!isRecord(answer) || depth === 0) return undefined;
	for (const name of [resourceName, ...LIST_NAMES]) {
		const value = fieldOf(answer, name);
		if (value === undefined) continue;
		const list = extractList(value, resourceName, depth - 1);
		if (list) return list;
	}
	const arrays = Object.values(answer).filter((value) => Array.isArray(value) && value.every(isRecord));
	return arrays.length === 1 ? (arrays[0] as IDataObject[]) : undefined;
}

/**
 * Whether the body of a 2xx response reports a failure: an `error` that is not empty, or a `success` that is false. Deleting
 * events returns `success` as a text (docs/api-reference.md), and a record may have fields `error` and `success` of its own,
 * for example the video `{ "hash": …, "error": "transcoding failed" }`.
 *
 * @param isRead the request only reads: what it returns with a hash or an ID is a record
 */
export function reportsFailure(body: unknown, isRead: boolean): boolean {
	if (!isRecord(body)) return false;
	const hasIdentity = RECORD_NAMES.some((name) => isIdentity(fieldOf(body, name)));
	if (hasIdentity && isRead) return false;
	const success = fieldOf(body, 'success');
	if (success === false || (typeof success === 'string' && success.trim().toLowerCase() === 'false'))
		return true;
	return !hasIdentity && isNamedFailure(fieldOf(body, 'error'));
}

function isIdentity(value: unknown): boolean {
	return (typeof value === 'string' && value !== '') || typeof value === 'number';
}

/** Whether the value of a field `error` stands for a failure; `{ "code": 0, "message": "" }` does not. */
function isNamedFailure(error: unknown): boolean {
	if (typeof error === 'string')
		return !['', '0', 'ok', 'false', 'null', 'none'].includes(error.trim().toLowerCase());
	if (typeof error === 'object' && error !== null) return Object.values(error).some(isNamedFailure);
	return typeof error === 'number' ? error !== 0 : error === true;
}

/**
 * Whether the response to deleting a folder counts none: the documented bare number (docs/api-reference.md#delete-a-gallery),
 * or one in an array or under a usual name.
 */
export function reportsNoneDeleted(response: unknown): boolean {
	if (Array.isArray(response)) return response.length === 1 && reportsNoneDeleted(response[0]);
	if (isRecord(response)) {
		const names = ['deleted', 'deletedcount', 'affected', 'affectedrows', 'count', ...LIST_NAMES];
		return names.some((name) => [0, '0', false].some((none) => fieldOf(response, name) === none));
	}
	return response === 0 || response === false || (typeof response === 'string' && response.trim() === '0');
}

/**
 * Whether the words of a 404 say that a list is empty (`No events found`) rather than that its address or its plan does
 * not exist (`Plan not found`, `Cannot GET /v1/folders`).
 *
 * @param resourceName the list's name in the plural: `events`, `folders`, `videos`
 */
export function meansEmptyList(words: string, resourceName: string): boolean {
	const names = [
		resourceName,
		resourceName.replace(/s$/, ''),
		...(resourceName === 'folders' ? ['galler(y|ies)'] : []),
	];
	return (
		new RegExp(`\\b(${names.join('|')})\\b`, 'i').test(words) &&
		/\b(no|not|none)\b/i.test(words) &&
		!words.includes('/')
	);
}

/** Fields that only describe the response: they are left out next to a record. */
const ENVELOPE_NAMES = [
	'success',
	'message',
	'msg',
	'status',
	'statuscode',
	'code',
	'error',
	'errors',
	'timestamp',
	'path',
	'requestid',
	'traceid',
];

/**
 * The record of a response about one thing. Accepted: the bare record; one under the resource's own name (`event`) or a
 * usual one; an array with one element. Anything else is returned as it is.
 *
 * Fields next to a wrapped record, such as `rtmpUrl`, are added to it; the envelope's own (`success`, `message`, …) are left
 * out. A field whose name the record has as well is added under `responseFields`.
 */
export function extractRecord(answer: unknown, resourceName: string): unknown {
	if (Array.isArray(answer)) return answer.length === 1 ? extractRecord(answer[0], resourceName) : answer;
	if (!isRecord(answer) || RECORD_NAMES.some((name) => fieldOf(answer, name) !== undefined)) return answer;
	for (const name of [resourceName, `${resourceName}s`, ...LIST_NAMES]) {
		const value = fieldOf(answer, name);
		if (isRecord(value) || (Array.isArray(value) && value.length === 1 && isRecord(value[0]))) {
			const siblings = Object.entries(answer).filter(
				([field, inner]) => inner !== value && !ENVELOPE_NAMES.includes(normalizedName(field)),
			);
			const record = extractRecord(value, resourceName);
			return isRecord(record) ? withSiblings(record, siblings) : record;
		}
	}
	return answer;
}

function withSiblings(record: Record<string, unknown>, siblings: Array<[string, unknown]>): unknown {
	const added = siblings.filter(([name]) => !(name in record));
	const sameName = siblings.filter(([name]) => name in record);
	return {
		...record,
		...Object.fromEntries(added),
		...(sameName.length > 0 ? { responseFields: Object.fromEntries(sameName) } : {}),
	};
}

/** The numeric event identifier (`eventId` in docs/api-reference.md#event). */
export function eventIdOf(event: IDataObject): number | undefined {
	const id = Number(firstText(event, ['eventid', 'idevent', 'id']));
	return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The event hash (`hash` in docs/api-reference.md#event). */
export function eventHashOf(event: IDataObject): string | undefined {
	return firstText(event, ['hash', 'eventhash', 'hashevent']);
}

/**
 * The secret of the live plan that an event record carries (docs/api-reference.md#search-all-events), flat or inside
 * the plan's own object.
 */
export function planSecretOf(event: IDataObject): string | undefined {
	const flat = firstText(event, ['secret', 'plansecret', 'livesecret', 'livessecret', 'secretkey']);
	if (flat !== undefined) return flat;
	for (const name of ['plan', 'liveplan', 'customerplan', 'live']) {
		const nested = fieldOf(event, name);
		const secret = isRecord(nested) ? planSecretOf(nested as IDataObject) : undefined;
		if (secret !== undefined) return secret;
	}
	return undefined;
}

export function eventTitleOf(event: IDataObject): string | undefined {
	return firstText(event, ['title', 'eventtitle', 'name', 'eventname']);
}

/** Names of the status of an event, the usual ones first. */
const STATUS_NAMES = ['status', 'eventstatus', 'livestatus', 'state'];
/** Other names of a status; not those of an earlier or later one, such as `previousStatus`. */
const OTHER_STATUS_NAME = /^(?!prev|last|old|former|next|initial|default).*(status|state)$/;

/**
 * The field that holds the status of an event, with its path (`status`, `live.status`). A documented status in one of
 * several status fields is preferred: `{ status: 'active', liveStatus: 'LIVE' }` has the status LIVE.
 */
export function statusFieldOf(event: IDataObject): { path: string; text: string } | undefined {
	const fields = [...fieldEntries(event)].flatMap(({ path, value }) => {
		// `status: { name: 'LIVE' }` is named by its parent; deeper fields belong to other records.
		const name = path.map(normalizedName).find((part) => OTHER_STATUS_NAME.test(part));
		if (name === undefined || path.length > 2 || !(typeof value === 'string' || typeof value === 'number'))
			return [];
		const rank = (STATUS_NAMES.indexOf(name) + 1 || STATUS_NAMES.length + 1) + (path.length - 1) * 10;
		return String(value).trim() === '' ? [] : [{ name, rank, path: path.join('.'), text: String(value) }];
	});
	fields.sort((a, b) => a.rank - b.rank);
	return (
		fields.find(({ text }) => documentedStatus(text) !== undefined) ??
		fields.find(({ rank }) => rank <= STATUS_NAMES.length)
	);
}

/**
 * The status of an event: a documented one as the reference writes it (`ON_DEMAND`, also for `on demand`), any other text in
 * upper case.
 */
export function eventStatusOf(event: IDataObject): string | undefined {
	const text = statusFieldOf(event)?.text;
	return text === undefined ? undefined : (documentedStatus(text) ?? text.trim().toUpperCase());
}

/** The time an event is scheduled for, as the service wrote it (`YYYY-MM-DD HH:mm:ss` when it is created). */
export function dateScheduledOf(event: IDataObject): string | undefined {
	return firstText(event, [
		'datescheduled',
		'scheduleddate',
		'scheduledat',
		'dateschedule',
		'date',
		'startdate',
	]);
}

export function folderUuidOf(folder: IDataObject): string | undefined {
	return firstText(folder, ['uuid', 'folderuuid', 'galleryuuid']);
}

export function folderNameOf(folder: IDataObject): string | undefined {
	return firstText(folder, ['name', 'foldername', 'title']);
}

export function videoHashOf(video: IDataObject): string | undefined {
	return firstText(video, ['hash', 'videohash', 'hashvideo']);
}

/** The ID of a video as text, for a service whose records have one. */
export function videoIdOf(video: IDataObject): string | undefined {
	return firstText(video, ['uuid', 'videoid', 'idvideo', 'id']);
}

export function videoNameOf(video: IDataObject): string | undefined {
	return firstText(video, ['name', 'videoname', 'title', 'filename']);
}

/** When a video was created, as the service wrote it. */
export function videoCreatedOf(video: IDataObject): string | undefined {
	return firstText(video, ['createddate', 'createdat', 'created', 'creationdate', 'datecreated', 'date']);
}

/** The folder that a video is in, by UUID or by name, as far as the record contains them. */
export function videoFolderOf(video: IDataObject): { uuid?: string; name?: string } {
	const nested = ['folder', 'gallery'].map((name) => fieldOf(video, name)).find(isRecord);
	// JSON that was parsed: an object is an IDataObject.
	if (nested) return { uuid: folderUuidOf(nested as IDataObject), name: folderNameOf(nested as IDataObject) };
	const name = firstText(video, ['foldername', 'galleryname']);
	const text = firstText(video, ['folderuuid', 'galleryuuid', 'folder', 'gallery']);
	const isUuid = text !== undefined && new RegExp(UUID_REGEX).test(text);
	return { uuid: isUuid ? text : undefined, name: name ?? (isUuid ? undefined : text) };
}

/** Whether a record contains a field for the folder of the video, and that field is empty. */
export function isInNoFolder(video: IDataObject): boolean {
	const values = ['folderuuid', 'galleryuuid', 'folder', 'gallery'].map((name) => fieldOf(video, name));
	const shown = values.filter((value) => value !== undefined);
	return shown.length > 0 && shown.every((value) => value === null || value === '');
}

/** What tells a record from every other one of its list: its hash, UUID or ID, else its whole content. */
export function identityOf(record: IDataObject): string {
	return (
		firstText(record, ['hash', 'eventhash', 'videohash', 'uuid', 'eventid', 'videoid', 'id']) ??
		JSON.stringify(record)
	);
}

function firstText(record: IDataObject, plainNames: string[]): string | undefined {
	for (const plainName of plainNames) {
		const value = fieldOf(record, plainName);
		if (typeof value === 'string' && value !== '') return value;
		if (typeof value === 'number') return String(value);
	}
	return undefined;
}

function fieldOf(record: Record<string, unknown>, plainName: string): unknown {
	if (plainName in record) return record[plainName];
	for (const [name, value] of Object.entries(record)) {
		if (normalizedName(name) === plainName) return value;
	}
	return undefined;
}

/** Every value in JSON that is no object or array, with the path of keys that leads to it. */
export function* fieldEntries(
	value: unknown,
	path: string[] = [],
): Generator<{ path: string[]; value: unknown }, void, undefined> {
	if (typeof value !== 'object' || value === null) yield { path, value };
	else for (const [key, inner] of Object.entries(value)) yield* fieldEntries(inner, [...path, key]);
}

/** A field name without case, underscores and hyphens. */
export function normalizedName(name: string): string {
	return name.replace(/[_-]/g, '').toLowerCase();
}
