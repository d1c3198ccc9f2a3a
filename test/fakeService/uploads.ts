import { createHash, type Hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { badRequest, ErrorResponse, type Call, type Outcome, type ResponseSpec } from './call';
import { afterBytesOf, applyFault } from './faults';
import { requireFolder } from './folders';
import { addVideo, newUpload, storedName, type Upload } from './state';

const hashes = new WeakMap<Upload, Hash>();

/** See docs/api-reference.md#create-an-upload. An empty file is complete at once. */
export function uploadCreate(call: Call): ResponseSpec {
	const { state, settings, applicationId } = call;
	const size = Number(call.request.headers['upload-length']);
	const filename = filenameOf(call);
	const folder = requireGallery(call);
	requireSlot(call, undefined);
	const upload = newUpload(applicationId, filename, size, folder);
	if (settings.hashing) hashes.set(upload, createHash('sha256'));
	state.uploads.push(upload);
	call.request.uploadId = upload.id;
	completeWhenFull(upload, call);
	return tusResponse(upload, call);
}

/** See docs/api-reference.md#read-the-offset. */
export async function uploadHead(call: Call): Promise<ResponseSpec> {
	const upload = requireUpload(call);
	await connectionSettled(upload);
	const length = { 'Upload-Length': String(upload.size) };
	const offset = { 'Upload-Offset': String(upload.offset) };
	return tusResponse(upload, call, call.settings.headReturnsLength ? { ...offset, ...length } : offset);
}

/** See docs/api-reference.md#send-bytes. */
export async function uploadPatch(call: Call): Promise<Outcome> {
	const upload = await admitted(call);
	const end = await receive(upload, call);
	if (end === 'aborted') return 'reset';
	if (end === 'stopped') return applyFault(call) ?? 'reset';
	const offset = { 'Upload-Offset': String(upload.offset) };
	return tusResponse(upload, call, call.settings.patchReturnsOffset ? offset : {});
}

/** The upload of a PATCH that passes all checks before a byte is read. */
async function admitted(call: Call): Promise<Upload> {
	const { headers } = call.request;
	const length = Number(headers['content-length']);
	const offset = Number(headers['upload-offset']);
	filenameOf(call);
	requireGallery(call);
	const upload = requireUpload(call);
	requireSlot(call, upload);
	await connectionSettled(upload);
	if (upload.transferring) throw tooManyUploads();
	if (offset !== upload.offset) {
		throw new ErrorResponse(409, 'Conflict', `Upload-Offset is ${offset}, not ${upload.offset}`);
	}
	if (offset + length > upload.size) throw badRequest('Content-Length goes beyond Upload-Length');
	return upload;
}

/**
 * Receives the body of a PATCH. Resolves with `ended` after the whole body, `stopped` where the fault is to occur, `aborted` when the
 * client went away; the upload is free for the next PATCH by then.
 */
async function receive(upload: Upload, call: Call): Promise<'ended' | 'stopped' | 'aborted'> {
	const { req, fault, state, changed } = call;
	const stopAfter = afterBytesOf(fault) || Infinity;
	const storeAtMost = fault?.kind === 'storeFewer' ? fault.bytes : Infinity;
	let received = 0;
	upload.transferring = true;
	const underWay = state.uploads.filter(({ transferring }) => transferring).length;
	state.maxSimultaneousPatches = Math.max(state.maxSimultaneousPatches, underWay);
	try {
		for await (const chunk of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
			const taken = chunk.subarray(0, stopAfter - received);
			const stored = taken.subarray(0, Math.max(0, storeAtMost - received));
			received += taken.length;
			upload.bytesReceived += taken.length;
			upload.offset += stored.length;
			hashes.get(upload)?.update(stored);
			completeWhenFull(upload, call);
			changed();
			if (received === stopAfter) return 'stopped';
		}
		return 'ended';
	} catch {
		return 'aborted';
	} finally {
		upload.transferring = false;
	}
}

/** The 201 of the three upload operations, with the same headers (docs/api-reference.md#uploads). */
function tusResponse({ id }: Upload, call: Call, more?: Record<string, string>): ResponseSpec {
	const { request, settings } = call;
	const path = `/v1/videos/uploads/${id}`;
	const onHost = `//${request.headers.host}${path}`;
	const absolute = `${settings.tls ? 'https:' : 'http:'}${onHost}`;
	const locations = { protocolRelative: onHost, absolute, path, hostile: `//evil.example${path}` };
	const Location = locations[settings.locationForm];
	return { status: 201, headers: { 'Tus-Resumable': '1.0.0', Location, ...more } };
}

function completeWhenFull(upload: Upload, { state, settings }: Call): void {
	if (upload.complete || upload.offset < upload.size) return;
	upload.complete = true;
	upload.sha256 = hashes.get(upload)?.digest('hex') ?? null;
	hashes.delete(upload);
	const { filename, applicationId, folder, size, id: uploadId, sha256 } = upload;
	const whole = settings.videoNameKeepsExtension ? filename : filename.replace(/\.[^.]+$/, '');
	const name = storedName(whole, settings);
	const appearsAt = Date.now() + settings.videoAppearsAfterMs;
	addVideo(state, settings, { name, applicationId, folder, size, uploadId, sha256, appearsAt });
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

function tooManyUploads(): ErrorResponse {
	return new ErrorResponse(429, 'Too many simultaneous uploads, please send one file at a time');
}

/** Throws 429 while another upload than the one that asks holds the slot of the application. */
function requireSlot({ state, settings, applicationId }: Call, asking: Upload | undefined): void {
	const others = state.uploads.filter((each) => each !== asking && each.applicationId === applicationId);
	const holds = ({ complete, transferring }: Upload) =>
		settings.slotHeldBy === 'unfinished' ? !complete : transferring;
	if (others.some(holds)) throw tooManyUploads();
}

function requireUpload({ segments, state, settings, applicationId }: Call): Upload {
	const upload = state.uploads.find(
		(each) => each.id === segments.upload_id && each.applicationId === applicationId,
	);
	if (upload === undefined || (settings.dropsFinishedUploads && upload.complete)) {
		throw new ErrorResponse(404, 'Upload not found');
	}
	return upload;
}

/** The file name out of `filename <base64>`. */
function filenameOf({ request }: Call): string {
	const base64 = String(request.headers['upload-metadata']).replace('filename ', '');
	const filename = Buffer.from(base64, 'base64').toString('utf8');
	if (Buffer.from(filename, 'utf8').toString('base64') !== base64) {
		throw badRequest('Upload-Metadata is not the base64 of UTF-8');
	}
	return filename;
}

function requireGallery({ request, state }: Call): string | null {
	const { gallery } = request.headers;
	return gallery === undefined ? null : requireFolder(String(gallery), state).uuid;
}
