import type { IncomingHttpHeaders } from 'node:http';
import { unescape } from 'node:querystring';

import { badRequest, type Call } from './call';
import {
	eventDelete,
	eventInsert,
	eventSearchAll,
	eventSearchByHash,
	eventStartOrEnd,
	eventUpdate,
} from './events';
import { folderCreate, folderDelete, folderList, folderTotal, folderUpdate } from './folders';
import { authenticate } from './tokens';
import { uploadCreate, uploadHead } from './uploads';
import {
	diskUsageByApplication,
	diskUsageByFolder,
	videoDelete,
	videoEdit,
	videoList,
	videoMove,
	videoThumbnail,
} from './videos';

/** Forms of request headers, by name; a header that is missing counts as empty. */
type HeaderForms = Record<string, RegExp>;

const anything = /\S/;
const wholeNumber = /^\d{1,15}$/;
const json: HeaderForms = { 'Content-Type': /^application\/json\s*(;|$)/i };
const jsonInUtf8: HeaderForms = { 'Content-Type': /^application\/json\s*;(.*;)?\s*charset=utf-8\s*(;|$)/i };
const multipart: HeaderForms = { 'Content-Type': /^multipart\/form-data\s*;/i };
const accept: HeaderForms = { Accept: anything };
const tus: HeaderForms = { 'Tus-Resumable': /^1\.0\.0$/ };
const bytesOfUpload: HeaderForms = {
	...tus,
	'Upload-Metadata': /^filename [A-Za-z0-9+/]+={0,2}$/,
	gallery: /^$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	'Transfer-Encoding': /^$/,
};

/** @param request methods and path, with its placeholders in braces as docs/api-reference.md writes them */
function operation<H>(request: string, handle: H, headers: HeaderForms = {}) {
	const [methods = '', path = ''] = request.split(' ');
	return { methods: methods.split('|'), path, handle, headers };
}

/** All operations of docs/api-reference.md. Authorization is required on all but authenticate. */
export const operations = {
	authenticate: operation('POST /v1/authenticate', authenticate, json),
	eventInsert: operation('POST /v1/events/insert', eventInsert, json),
	eventUpdate: operation('PUT /v1/events/update', eventUpdate, {
		Accept: /(^|,)\s*application\/json\s*(;|,|$)/i,
	}),
	eventStartOrEnd: operation('PUT /v1/events/start-or-end-live', eventStartOrEnd, jsonInUtf8),
	eventDelete: operation('DELETE /v1/events/delete', eventDelete, { ...accept, ...jsonInUtf8 }),
	eventSearchByHash: operation('GET /v1/events/searchByHash', eventSearchByHash, {
		...accept,
		'Content-Type': anything,
	}),
	eventSearchAll: operation('GET /v1/events/searchAll', eventSearchAll, accept),
	folderTotal: operation('GET /v1/folders/total', folderTotal),
	folderList: operation('GET /v1/folders', folderList),
	folderCreate: operation('POST /v1/folders', folderCreate),
	folderUpdate: operation('PUT|PATCH /v1/folders/{uuid}', folderUpdate),
	folderDelete: operation('DELETE /v1/folders/{uuid}', folderDelete),
	uploadCreate: operation('POST /v1/videos', uploadCreate, {
		...bytesOfUpload,
		'Upload-Length': wholeNumber,
		'Content-Type': /^$|^application\/json\s*(;|$)/i,
		'Content-Length': /^0?$/,
	}),
	// server.ts receives its body.
	uploadPatch: operation('PATCH /v1/videos/uploads/{upload_id}', undefined, {
		...bytesOfUpload,
		'Upload-Offset': wholeNumber,
		'Content-Type': /^application\/offset\+octet-stream$/i,
		'Content-Length': wholeNumber,
	}),
	uploadHead: operation('HEAD /v1/videos/uploads/{upload_id}', uploadHead, tus),
	videoDelete: operation('DELETE /v1/videos/deleteVideo/{video_hash}/{plan_id}', videoDelete, {
		...accept,
		...json,
	}),
	videoThumbnail: operation('PUT /v1/videos/uploadThumb/{video_hash}/{plan_id}', videoThumbnail, {
		...accept,
		...multipart,
	}),
	videoEdit: operation('PUT /v1/videos/editVideo/{video_hash}/{plan_id}', videoEdit, { ...accept, ...json }),
	videoList: operation('GET /v1/videos/application', videoList, { ...accept, ...json }),
	videoMove: operation('PUT /v1/videos/moveVideo/{video_hash}', videoMove, { ...accept, ...json }),
	diskUsageByApplication: operation('GET /v1/videos/diskusagebyapp', diskUsageByApplication, json),
	diskUsageByFolder: operation('GET /v1/videos/diskusagebyfolderandvideo/{uuid}', diskUsageByFolder, json),
};

export type OperationName = keyof typeof operations;

// Object.keys() forgets the literal names of the table just above.
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/** Finds the operation of a request; `path` is the raw path without its query. */
export function findRoute(
	method: string,
	path: string,
): { operation: OperationName | 'unknown'; segments: Call['segments'] } {
	for (const name of operationNames) {
		const { methods, path: pattern } = operations[name];
		const match = new RegExp(`^${pattern.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`).exec(path);
		if (!match || !methods.includes(method)) continue;
		const encoded = Object.entries(match.groups ?? {});
		const segments = Object.fromEntries(encoded.map(([segment, value]) => [segment, unescape(value)]));
		return { operation: name, segments };
	}
	return { operation: 'unknown', segments: {} };
}

/** Throws 400 `Bad Request` when a header that the reference requires of the operation is missing or misformatted. */
export function checkHeaders(name: OperationName, headers: IncomingHttpHeaders): void {
	for (const [header, form] of Object.entries(operations[name].headers)) {
		const value = String(headers[header.toLowerCase()] ?? '');
		if (!form.test(value)) throw badRequest(`${header}: "${value}" is not as documented`);
	}
}
