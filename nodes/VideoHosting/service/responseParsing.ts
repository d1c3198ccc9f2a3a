import { NodeApiError, type IDataObject } from 'n8n-workflow';

import { fieldOf, firstText, isRecord, normalizedName } from '../shared/jsonFields';
import { isServiceError } from '../transport/errors';
import { RECORD_NAMES } from '../transport/errorResponse';

/**
 * The interpretation of undocumented responses (docs/api-reference.md#what-is-not-documented), one small function for each
 * question. The fields of a single record are in recordFields.ts, the access token is in transport/signIn.ts.
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
/**
 * The records of a list response. Accepted: an array; an array under the resource's own name (`events`) or a usual one
 * (`data`, `items`, …), also nested; the only array of objects in the response; an array of the list and a count, as
 * database libraries return it; `null` for an empty list. Undefined when there is no list: an empty body, a web page, an
 * object without an array.
 */
export function extractList(
	response: unknown,
	resourceName: string,
	depth = NESTED_DEPTH,
): IDataObject[] | undefined {
	if (response === null) return [];
	if (Array.isArray(response)) {
		const [list, count] = response as unknown[];
		if (response.length === 2 && Array.isArray(list) && typeof count === 'number') {
			return extractList(list, resourceName, depth - 1);
		}
		return response.every(isRecord) ? response : undefined;
	}
	if (!isRecord(response) || depth === 0) return undefined;
	for (const name of [resourceName, ...LIST_NAMES]) {
		const value = fieldOf(response, name);
		if (value === undefined) continue;
		const list = extractList(value, resourceName, depth - 1);
		if (list) return list;
	}
	const arrays = Object.values(response)
		.filter((value): value is unknown[] => Array.isArray(value))
		.filter((list): list is IDataObject[] => list.every(isRecord));
	return arrays.length === 1 ? arrays[0] : undefined;
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

/** `Could not load events`, `Events are temporarily not available`: the records may exist all the same. */
const IS_FAILURE =
	/\b(could not|can ?not|may not|unable to|not (allowed|permitted|available|authori[sz]ed|supported))\b(?! (be found|find)\b)|\bfail/i;

/**
 * Whether the message of a 404 means that a list is empty (`No events found`) rather than that its URL or its plan does
 * not exist (`Plan not found`, `Cannot GET /v1/folders`).
 *
 * @param resourceName the list's name in the plural: `events`, `folders`, `videos`
 */
export function meansEmptyList(message: string, resourceName: string): boolean {
	const names = [
		resourceName,
		resourceName.replace(/s$/, ''),
		...(resourceName === 'folders' ? ['galler(y|ies)'] : []),
	];
	return (
		new RegExp(`\\b(${names.join('|')})\\b`, 'i').test(message) &&
		/\b(no|not|none)\b/i.test(message) &&
		!IS_FAILURE.test(message) &&
		!message.includes('/')
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
 * Whether the JSON of a response about one record shows that there is no such record: `null`, an empty list or object, one of
 * these in the field of the record, or a message that reports it. An empty body or another message shows nothing.
 */
export function containsNoRecord(response: unknown, resourceName: string): boolean {
	if (response === null || (Array.isArray(response) && response.length === 0)) return true;
	if (!isRecord(response)) return false;
	const fields = Object.entries(response);
	const content = fields.filter(([name]) => !ENVELOPE_NAMES.includes(normalizedName(name)));
	if (content.length === 0) {
		const message = firstText(response, ['message', 'msg']);
		return fields.length === 0 || (message !== undefined && meansEmptyList(message, `${resourceName}s`));
	}
	const names = [resourceName, `${resourceName}s`, ...LIST_NAMES];
	return content.every(
		([name, value]) => names.includes(normalizedName(name)) && containsNoRecord(value, resourceName),
	);
}

/**
 * Whether an error is the service's own answer that there is no such record: a 404, or a 2xx whose message reports that.
 *
 * @param resourceName the list's name in the plural
 */
export function isNotFoundError(error: unknown, resourceName: string): error is NodeApiError {
	if (isServiceError(error, /^404$/)) return true;
	const [message = ''] = error instanceof NodeApiError ? error.message.split('.', 1) : [];
	return isServiceError(error, /^200$/) && meansEmptyList(message, resourceName);
}

/** Whether the service itself rejects a request for one record with a status that may mean an unknown record; none is documented. */
export function mayMeanUnknownRecord(error: unknown): boolean {
	return isServiceError(error, /^4(00|10|22)$/);
}

/**
 * The record of a response about one thing. Accepted: the bare record; one under the resource's own name (`event`) or a
 * usual one; an array with one element. Anything else is returned as it is.
 *
 * Fields next to a wrapped record, such as `rtmpUrl`, are added to it; the envelope's own (`success`, `message`, …) are left
 * out. A field whose name the record has as well is added under `responseFields`.
 */
export function extractRecord(response: unknown, resourceName: string): unknown {
	if (Array.isArray(response))
		return response.length === 1 ? extractRecord(response[0], resourceName) : response;
	if (!isRecord(response) || RECORD_NAMES.some((name) => fieldOf(response, name) !== undefined))
		return response;
	for (const name of [resourceName, `${resourceName}s`, ...LIST_NAMES]) {
		const value = fieldOf(response, name);
		if (isRecord(value) || (Array.isArray(value) && value.length === 1 && isRecord(value[0]))) {
			const siblings = Object.entries(response).filter(
				([field, inner]) => inner !== value && !ENVELOPE_NAMES.includes(normalizedName(field)),
			);
			const record = extractRecord(value, resourceName);
			return isRecord(record) ? withSiblings(record, siblings) : record;
		}
	}
	return response;
}

/** A record with further fields; those whose name the record has as well are under `responseFields`. */
export function withSiblings(
	record: Record<string, unknown>,
	siblings: Array<[string, unknown]>,
): Record<string, unknown> {
	const added = siblings.filter(([name]) => !(name in record));
	const sameName = siblings.filter(([name]) => name in record);
	return {
		...record,
		...Object.fromEntries(added),
		...(sameName.length > 0 ? { responseFields: Object.fromEntries(sameName) } : {}),
	};
}
