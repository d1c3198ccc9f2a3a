import { NodeOperationError, type IExecuteFunctions, type INode, type NodeApiError } from 'n8n-workflow';

import { withName, type Video } from '../service/video';
import { asSentence, isServiceError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { UploadMemory, type UploadRecord } from './memory';
import { findNewVideo, LISTED_WITHIN_MS } from './newVideo';

/** An image file in memory. */
export interface ImageFile {
	bytes: Buffer;
	/** `image/…` */
	mimeType: string;
	fileName: string | undefined;
}

/** An upload that is complete while its video does not have its thumbnail or its name yet. */
export class UnfinishedVideoError extends NodeOperationError {
	constructor(node: INode, message: string, description: string) {
		super(node, message, { description });
		// As in operationError(): the reason may contain the name of a network code.
		this.message = message;
	}
}

const RUN_AGAIN = 'Run this again with the same file: it is not sent again.';
const UPLOAD_AGAIN = 'If the video was deleted, run this again to upload the file again.';

/**
 * Gives the video of a complete upload its thumbnail and its name: the title, or the file name. A thumbnail that is rejected does not
 * keep the name from being set.
 *
 * @returns the video with its new name
 * @throws UnfinishedVideoError; the upload stays `complete`, so that the same file finishes it without being sent again
 */
export async function finishVideo(
	context: IExecuteFunctions,
	record: UploadRecord,
	{ planId, thumbnail }: { planId: string; thumbnail: ImageFile | undefined },
): Promise<Video> {
	const { file, title, uploadId } = record;
	const titleOrName = title === '' ? 'name' : 'title';
	const unfinished = (parts: string[], reason: string, advice: string) => {
		const message = `"${file.name}" is uploaded (upload ${uploadId}), but its ${parts.join(' and ')} could not be set: ${asSentence(reason)}`;
		return new UnfinishedVideoError(context.getNode(), message, advice);
	};
	const found = await findNewVideo(context, planId, record);
	if (!found.video) {
		const parts = thumbnail ? [titleOrName, 'thumbnail'] : [titleOrName];
		const isLate = found.why === 'missing' && Date.now() - (record.completeAt ?? 0) >= LISTED_WITHIN_MS;
		const reason = isLate ? 'somebody has deleted or renamed the video since' : found.reason;
		// Of an upload whose time is not known, no later run finds the video either.
		const isUndated = found.why === 'undated';
		if (isLate || isUndated) (await UploadMemory.of(context)).forget(record);
		const advice = isLate ? UPLOAD_AGAIN : RUN_AGAIN;
		throw unfinished(parts, reason, isUndated ? 'Rename it with Video → Update.' : advice);
	}
	const { hash = '' } = found.video;
	const name = title || file.name;
	const failures = new Map<string, NodeApiError | NodeOperationError>();
	const set = async (part: string, request: Promise<unknown>) =>
		await request.catch((error: unknown) => failures.set(part, toNodeError(context, error)));
	if (thumbnail) await set('thumbnail', putThumbnail(context, { hash, planId }, thumbnail));
	const editPath = path('videos', 'editVideo', hash, planId);
	const headers = { 'Content-Type': 'application/json' };
	await set(titleOrName, requestJson(context, { method: 'PUT', path: editPath, headers, body: { name } }));
	if (!failures.has(titleOrName)) record.video = withName(found.video, name);
	if (failures.size > 0) {
		const isGone = isServiceError(failures.get(titleOrName), /^404$/);
		if (isGone) (await UploadMemory.of(context)).forget(record);
		const reasons = new Set([...failures.values()].map(({ message }) => asSentence(message)));
		throw unfinished([...failures.keys()], [...reasons].join(' '), isGone ? UPLOAD_AGAIN : RUN_AGAIN);
	}
	record.status = 'done';
	return record.video ?? found.video;
}

/** The request of docs/api-reference.md#set-a-thumbnail. Throws NodeApiError when the service rejects it. */
export async function putThumbnail(
	context: IExecuteFunctions,
	{ hash, planId }: { hash: string; planId: string },
	{ bytes, fileName, mimeType }: ImageFile,
): Promise<unknown> {
	const form = new FormData();
	// A copy of an image is small; Blob requires an ArrayBuffer of its own.
	form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName ?? 'thumbnail');
	const thumbnailPath = path('videos', 'uploadThumb', hash, planId);
	return await requestJson(context, { method: 'PUT', path: thumbnailPath, body: form });
}
