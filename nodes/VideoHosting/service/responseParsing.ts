import type { IDataObject } from 'n8n-workflow';

import { isRecord, normalizedName } from '../shared/jsonFields';
import { hasIdentity } from './recordFields';

/**
 * The interpretation of undocumented responses (docs/api-reference.md#what-is-not-documented), one small function for each
 * question. The fields of a single record are in recordFields.ts, the access token is in transport/signIn.ts.
 */

/** What a response usually wraps its content in, besides the name of the resource. */
const WRAPPER_NAMES = ['data', 'items', 'results', 'records', 'rows', 'content', 'list', 'result', 'payload'];

/** Fields that only describe the response: they are left out next to a record. */
const ENVELOPE_NAMES = ['success', 'message', 'status', 'statuscode', 'code', 'error', 'errors', 'timestamp'];

/** The content of a response under one of the usual names, with the name of its field; a count or a text is not content. */
function wrapped(response: IDataObject, resourceName: string): { name: string; value: unknown } | undefined {
	const names = [resourceName, `${resourceName}s`, ...WRAPPER_NAMES];
	for (const plainName of names) {
		const name = Object.keys(response).find(
			(each) => normalizedName(each) === plainName && typeof response[each] === 'object',
		);
		if (name !== undefined) return { name, value: response[name] };
	}
	return undefined;
}

/**
 * The records of a list response. Accepted: an array; an array under the resource's own name (`events`) or a usual one
 * (`data`, `items`, …), or one inside the other (`data.items`); `null` for an empty list.
 *
 * @param resourceName in the plural
 * @returns undefined when there is no list: an empty body, a text, an object without an array
 */
export function extractList(response: unknown, resourceName: string): IDataObject[] | undefined {
	if (response === null) return [];
	if (Array.isArray(response)) return response.every(isRecord) ? response : undefined;
	const content = isRecord(response) ? wrapped(response, resourceName) : undefined;
	return content && extractList(content.value, resourceName);
}

/**
 * The record of a response about one thing. Accepted: the bare record; one under the resource's own name (`event`) or a
 * usual one; an array with one element. Anything else is returned as it is.
 *
 * Fields next to a wrapped record, such as `rtmpUrl`, are added to it, but not the envelope's own (`success`, `message`, …).
 */
export function extractRecord(response: unknown, resourceName: string): unknown {
	if (Array.isArray(response))
		return response.length === 1 ? extractRecord(response[0], resourceName) : response;
	if (!isRecord(response) || hasIdentity(response)) return response;
	const content = wrapped(response, resourceName);
	const record = content && extractRecord(content.value, resourceName);
	if (!content || !isRecord(record)) return response;
	const others = Object.entries(response).filter(
		([name]) => name !== content.name && !ENVELOPE_NAMES.includes(normalizedName(name)),
	);
	return { ...Object.fromEntries(others), ...record };
}

/**
 * Whether the JSON of a response about one record shows that there is no such record: `null`, an empty list or object, or one
 * of these in the field of the record. An empty body shows nothing.
 */
export function containsNoRecord(response: unknown, resourceName: string): boolean {
	if (response === null || (Array.isArray(response) && response.length === 0)) return true;
	if (!isRecord(response) || hasIdentity(response)) return false;
	const content = wrapped(response, resourceName);
	return content ? containsNoRecord(content.value, resourceName) : Object.keys(response).length === 0;
}

/** Whether the message of a 404 means that a list is empty, rather than that its URL or its plan does not exist. */
export function meansEmptyList(message: string): boolean {
	return /^(there are )?no (events|folders|galleries|videos)( were)?( found)?( yet)?[.!]?$/i.test(message);
}
