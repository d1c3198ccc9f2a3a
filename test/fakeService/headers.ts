import type { IncomingHttpHeaders } from 'node:http';

import { badRequest } from './responses';
import { operations, type OperationName, type OperationRule } from './operations';

/** Throws 400 `Bad Request` when a header that the reference requires of the operation is missing or misformatted. */
export function checkHeaders(operation: OperationName, headers: IncomingHttpHeaders): void {
	const { accept, contentType }: OperationRule = operations[operation];
	if (accept !== undefined) checkAccept(headers.accept, accept);
	if (contentType !== undefined) checkContentType(headers['content-type'], contentType);
}

function checkAccept(value: string | undefined, wanted: 'any' | 'json'): void {
	if (value === undefined || value.trim() === '') throw badRequest('Accept is missing');
	const types = value.split(',').map((type) => type.split(';')[0]?.trim().toLowerCase());
	if (wanted === 'json' && !types.includes('application/json')) {
		throw badRequest('Accept does not name application/json');
	}
}

function checkContentType(
	value: string | undefined,
	wanted: Exclude<OperationRule['contentType'], undefined>,
): void {
	if (value === undefined || value.trim() === '') throw badRequest('Content-Type is missing');
	const [type, ...parameters] = value.split(';').map((part) => part.trim().toLowerCase());
	if (wanted === 'any') return;
	const expected = wanted === 'multipart' ? 'multipart/form-data' : 'application/json';
	if (type !== expected) throw badRequest(`Content-Type is not ${expected}`);
	if (wanted === 'json+utf8' && !parameters.includes('charset=utf-8')) {
		throw badRequest('Content-Type does not name charset=UTF-8');
	}
}
