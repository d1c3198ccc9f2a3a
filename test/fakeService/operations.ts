import { unescape } from 'node:querystring';

import type { Call, Outcome } from './call';
import * as events from './events';
import * as folders from './folders';
import { authenticate } from './tokens';
import * as uploads from './uploads';
import * as videos from './videos';

/** Forms of request headers, by name; a header that is missing counts as empty. */
type HeaderForms = Record<string, RegExp>;

const wholeNumber = /^\d{1,15}$/;
const json: HeaderForms = { 'Content-Type': /^application\/json\s*(;|$)/i };
const jsonInUtf8: HeaderForms = { 'Content-Type': /^application\/json\s*;(.*;)?\s*charset=utf-8\s*(;|$)/i };
const multipart: HeaderForms = { 'Content-Type': /^multipart\/form-data\s*;/i };
const anyType: HeaderForms = { 'Content-Type': /\S/ };
const accept: HeaderForms = { Accept: /\S/ };
const acceptJson: HeaderForms = { Accept: /(^|,)\s*application\/json\s*(;|,|$)/i };
const tus: HeaderForms = { 'Tus-Resumable': /^1\.0\.0$/ };
const bytesOfUpload: HeaderForms = {
	...tus,
	'Upload-Metadata': /^filename [A-Za-z0-9+/]+={0,2}$/,
	gallery: /^$|^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
	'Transfer-Encoding': /^$/,
};

/** @param request methods and path, with its placeholders in braces as docs/api-reference.md writes them */
function operation(request: string, ...headers: HeaderForms[]) {
	const [methods = '', path = ''] = request.split(' ');
	const pattern = new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
	return {
		methods: methods.split('|'),
		path,
		pattern,
		headers: Object.assign({}, ...headers) as HeaderForms,
	};
}

/** All operations of docs/api-reference.md. Authorization is required on all but authenticate. */
export const operations = {
	authenticate: operation('POST /v1/authenticate', json),
	eventInsert: operation('POST /v1/events/insert', json),
	eventUpdate: operation('PUT /v1/events/update', acceptJson),
	eventStartOrEnd: operation('PUT /v1/events/start-or-end-live', jsonInUtf8),
	eventDelete: operation('DELETE /v1/events/delete', accept, jsonInUtf8),
	eventSearchByHash: operation('GET /v1/events/searchByHash', accept, anyType),
	eventSearchAll: operation('GET /v1/events/searchAll', accept),
	folderTotal: operation('GET /v1/folders/total'),
	folderList: operation('GET /v1/folders'),
	folderCreate: operation('POST /v1/folders'),
	folderUpdate: operation('PUT|PATCH /v1/folders/{uuid}'),
	folderDelete: operation('DELETE /v1/folders/{uuid}'),
	uploadCreate: operation('POST /v1/videos', bytesOfUpload, {
		'Upload-Length': wholeNumber,
		'Content-Type': /^$|^application\/json\s*(;|$)/i,
		'Content-Length': /^0?$/,
	}),
	uploadPatch: operation('PATCH /v1/videos/uploads/{upload_id}', bytesOfUpload, {
		'Upload-Offset': wholeNumber,
		'Content-Type': /^application\/offset\+octet-stream$/i,
		'Content-Length': wholeNumber,
	}),
	uploadHead: operation('HEAD /v1/videos/uploads/{upload_id}', tus),
	videoDelete: operation('DELETE /v1/videos/deleteVideo/{video_hash}/{plan_id}', accept, json),
	videoThumbnail: operation('PUT /v1/videos/uploadThumb/{video_hash}/{plan_id}', accept, multipart),
	videoEdit: operation('PUT /v1/videos/editVideo/{video_hash}/{plan_id}', accept, json),
	videoList: operation('GET /v1/videos/application', accept, json),
	videoMove: operation('PUT /v1/videos/moveVideo/{video_hash}', accept, json),
	diskUsageByApplication: operation('GET /v1/videos/diskusagebyapp', json),
	diskUsageByFolder: operation('GET /v1/videos/diskusagebyfolderandvideo/{uuid}', json),
};

export type OperationName = keyof typeof operations;

// Object.keys() forgets the literal names of the table just above.
export const operationNames = Object.keys(operations) as [OperationName, ...OperationName[]];

/** What carries each operation out: the function of its name. */
export const handlers: Record<OperationName, (call: Call) => Outcome | Promise<Outcome>> = {
	authenticate,
	...events,
	...folders,
	...uploads,
	...videos,
};

/** Finds the operation of a request; `path` is the raw path without its query. */
export function findRoute(method: string, path: string) {
	for (const operation of operationNames) {
		const { methods, pattern } = operations[operation];
		const match = pattern.exec(path);
		if (!match || !methods.includes(method)) continue;
		const segments: Call['segments'] = {};
		for (const [name, value] of Object.entries(match.groups ?? {})) segments[name] = unescape(value);
		return { operation, segments };
	}
	return { operation: 'unknown' as const, segments: {} as Call['segments'] };
}
