import { fieldOf, isRecord } from '../shared/jsonFields';

/** Names that only a record has: an object with one of them is the record, not the wrapping of another. */
export const RECORD_NAMES = [
	'hash',
	'eventhash',
	'hashevent',
	'videohash',
	'hashvideo',
	'uuid',
	'eventid',
	'videoid',
];

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
