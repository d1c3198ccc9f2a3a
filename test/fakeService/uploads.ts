import { createHash, randomUUID, type Hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { badRequest, ErrorResponse, tooManyUploads, type ResponseSpec } from './responses';
import type { Call } from './call';
import { requireFolder } from './folders';
import type { ServiceSettings } from './settings';
import { addVideo, type ServiceState, type Upload } from './state';
import { nameOfUpload } from './videoNames';

const exposedHeaders = [
	'Authorization',
	'Content-Type',
	'Location',
	'Tus-Extension',
	'Tus-Max-Size',
	'Tus-Resumable',
	'Tus-Version',
	'Upload-Defer-Length',
	'Upload-Length',
	'Upload-Metadata',
	'Upload-Offset',
	'X-HTTP-Method-Override',
	'X-Requested-With',
].join(', ');

const hashes = new WeakMap<Upload, Hash>();

/**
 * See docs/api-reference.md#create-an-upload. Nothing to send is nothing missing: an empty file is complete at once.
 */
export function uploadCreate(call: Call): ResponseSpec {
	const { headers, state, settings, applicationId } = call;
	checkTusResumable(call);
	const size = requireNumber(headers['upload-length'], 'Upload-Length');
	const filename = requireFilename(headers['upload-metadata']);
	const contentType = headers['content-type'];
	if (contentType !== undefined && !/^application\/json\s*(;|$)/i.test(contentType)) {
		throw badRequest('Content-Type is not application/json');
	}
	if (requireNumber(headers['content-length'] ?? '0', 'Content-Length') > 0 || headers['transfer-encoding']) {
		throw badRequest('the body is not empty');
	}
	const folder = requireGallery(call);
	forgetExpiredUploads(state, settings);
	if (slotIsHeld(call, undefined)) throw tooManyUploads();

	state.uploadsCreated += 1;
	const now = Date.now();
	const upload: Upload = {
		id: randomUUID(),
		applicationId,
		filename,
		size,
		offset: 0,
		folder,
		sha256: null,
		complete: false,
		createdAt: now,
		touchedAt: now,
		bytesReceived: 0,
		patches: [],
		transferring: false,
		content: [],
	};
	if (settings.hashing) hashes.set(upload, createHash('sha256'));
	state.uploads.push(upload);
	completeWhenFull(upload, state, settings);
	return tusResponse(upload, call);
}

/** See docs/api-reference.md#read-the-offset. */
export async function uploadHead(call: Call): Promise<ResponseSpec> {
	checkTusResumable(call);
	forgetExpiredUploads(call.state, call.settings);
	const upload = requireUpload(call);
	await connectionSettled(upload);
	const response = tusResponse(upload, call);
	const headers: Record<string, string> = { ...response.headers, 'Upload-Offset': String(upload.offset) };
	if (call.settings.headReturnsLength) headers['Upload-Length'] = String(upload.size);
	return { ...response, headers };
}

/** All checks of docs/api-reference.md#send-bytes before a byte is read. */
export async function admitPatch(call: Call): Promise<Upload> {
	const { headers, settings } = call;
	checkTusResumable(call);
	if (headers['transfer-encoding'] !== undefined)
		throw badRequest('the body is chunked, Content-Length is missing');
	const length = requireNumber(headers['content-length'], 'Content-Length');
	const offset = requireNumber(headers['upload-offset'], 'Upload-Offset');
	requireFilename(headers['upload-metadata']);
	if (headers['content-type']?.trim().toLowerCase() !== 'application/offset+octet-stream') {
		throw badRequest('Content-Type is not application/offset+octet-stream');
	}
	requireGallery(call);
	forgetExpiredUploads(call.state, settings);
	const upload = requireUpload(call);
	if (slotIsHeld(call, upload)) throw tooManyUploads();
	await connectionSettled(upload);
	if (upload.transferring) {
		throw tooManyUploads();
	}
	if (offset !== upload.offset) {
		throw new ErrorResponse(
			409,
			'Conflict',
			`Upload-Offset is ${offset}, ${upload.offset} bytes were received`,
		);
	}
	if (offset + length > upload.size) throw badRequest('Content-Length goes beyond Upload-Length');
	if (settings.patchNeedsWholeRest && offset + length < upload.size) {
		throw badRequest('Content-Length is less than the bytes still missing');
	}
	return upload;
}

/** The 201 of the three upload operations, with the same headers (docs/api-reference.md#uploads). */
export function tusResponse(upload: Upload, { headers, settings, origin }: Call): ResponseSpec {
	const path = `/v1/videos/uploads/${upload.id}`;
	const host = headers.host ?? new URL(origin).host;
	const locations = {
		protocolRelative: `//${host}${path}`,
		absolute: `${new URL(origin).protocol}//${host}${path}`,
		path,
		hostile: `//evil.example${path}`,
	};
	return {
		status: 201,
		headers: {
			'Tus-Resumable': '1.0.0',
			Location: locations[settings.locationForm],
			'Access-Control-Expose-Headers': exposedHeaders,
			'Content-Length': '0',
		},
	};
}

/** Takes bytes at the upload's offset: counted, hashed, and dropped unless keepBytes is on. */
export function storeBytes(
	upload: Upload,
	bytes: Buffer,
	state: ServiceState,
	settings: ServiceSettings,
): void {
	upload.offset += bytes.length;
	upload.touchedAt = Date.now();
	hashes.get(upload)?.update(bytes);
	if (settings.keepBytes) upload.content.push(bytes);
	completeWhenFull(upload, state, settings);
}

/** Makes the service forget an upload. */
export function forgetUpload(id: string | undefined, state: ServiceState): void {
	state.uploads = state.uploads.filter((upload) => upload.id !== id);
}

/** Makes the service lose the last bytes of an unfinished upload. Needs the setting keepBytes, to hash the rest anew. */
export function loseBytes(id: string | undefined, bytes: number, state: ServiceState): void {
	const upload = state.uploads.find((candidate) => candidate.id === id);
	if (!upload || upload.complete) return;
	const kept = Buffer.concat(upload.content).subarray(0, Math.max(0, upload.offset - bytes));
	upload.offset = kept.length;
	upload.content = [kept];
	hashes.set(upload, createHash('sha256').update(kept));
}

function completeWhenFull(upload: Upload, state: ServiceState, settings: ServiceSettings): void {
	if (upload.complete || upload.offset < upload.size) return;
	upload.complete = true;
	upload.sha256 = hashes.get(upload)?.digest('hex') ?? null;
	hashes.delete(upload);
	const { filename, applicationId, folder, size, id, sha256 } = upload;
	const now = Date.now();
	addVideo(state, settings, {
		name: nameOfUpload(filename, settings),
		applicationId,
		folder,
		size,
		createdDate: new Date(now).toISOString(),
		uploadId: id,
		sha256,
		appearsAt: now + settings.videoAppearsAfterMs,
	});
}

/**
 * When a client drops a connection and sends a request on a new one, the request may arrive before the old connection
 * is seen as closed. A response that depends on the offset therefore waits, at most half a second, until bytes in
 * flight are read.
 */
async function connectionSettled(upload: Upload): Promise<void> {
	for (let waited = 0; upload.transferring && waited < 500; waited += 25) {
		const before = upload.bytesReceived;
		await sleep(25);
		if (upload.bytesReceived === before) return;
	}
}

function slotIsHeld({ state, settings, applicationId }: Call, asking: Upload | undefined): boolean {
	return state.uploads.some(
		(upload) =>
			upload !== asking &&
			upload.applicationId === applicationId &&
			(settings.slotHeldBy === 'unfinished' ? !upload.complete : upload.transferring),
	);
}

function forgetExpiredUploads(state: ServiceState, { unfinishedUploadExpiryMs }: ServiceSettings): void {
	if (unfinishedUploadExpiryMs === 0) return;
	const oldest = Date.now() - unfinishedUploadExpiryMs;
	state.uploads = state.uploads.filter(
		(upload) => upload.complete || upload.transferring || upload.touchedAt > oldest,
	);
}

function requireUpload({ segments, state, settings, applicationId }: Call): Upload {
	const upload = state.uploads.find(
		(candidate) => candidate.id === segments.upload_id && candidate.applicationId === applicationId,
	);
	if (upload === undefined || (settings.dropsFinishedUploads && upload.complete)) {
		throw new ErrorResponse(404, 'Upload not found');
	}
	return upload;
}

function checkTusResumable({ headers }: Call): void {
	if (headers['tus-resumable'] !== '1.0.0') throw badRequest('Tus-Resumable is not 1.0.0');
}

function requireNumber(value: string | string[] | undefined, name: string): number {
	const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN;
	if (!Number.isSafeInteger(number)) throw badRequest(`${name} is missing or no whole number`);
	return number;
}

/** The file name out of `filename <base64 of it>`. */
function requireFilename(metadata: string | string[] | undefined): string {
	const base64 =
		typeof metadata === 'string' ? /^filename ([A-Za-z0-9+/]+={0,2})$/.exec(metadata)?.[1] : undefined;
	if (base64 === undefined) throw badRequest('Upload-Metadata is not "filename <base64>"');
	const bytes = Buffer.from(base64, 'base64');
	if (bytes.toString('base64') !== base64) throw badRequest('Upload-Metadata carries no valid base64');
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		throw badRequest('Upload-Metadata carries a file name that is not UTF-8');
	}
}

function requireGallery({ headers, state }: Call): string | null {
	const gallery = headers['gallery'];
	if (gallery === undefined) return null;
	if (typeof gallery !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(gallery)) {
		throw badRequest('gallery is no UUID');
	}
	return requireFolder(gallery, state).uuid;
}
