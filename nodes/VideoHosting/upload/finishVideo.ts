import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { withName, type Video } from '../service/video';
import { asSentence, isServiceError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { UploadMemory, type UploadRecord } from './memory';
import { findNewVideo } from './newVideo';

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

/**
 * Gives the video of a complete upload with a mark its thumbnail, and then its name: the title, or the file name. So a video
 * without a mark has both.
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
	const unfinished = (reason: string, advice: string) => {
		const what = [title && 'title', thumbnail && 'thumbnail'].filter(Boolean).join(' and ') || 'name';
		const message = `"${file.name}" is uploaded (upload ${uploadId}), but its ${what} could not be set: ${asSentence(reason)}`;
		return new UnfinishedVideoError(context.getNode(), message, advice);
	};
	const runAgain = 'Run this again with the same file: it is not sent again.';
	const found = await findNewVideo(context, planId, record);
	if (!found.video) throw unfinished(found.reason, runAgain);
	const { video } = found;
	const { hash = '' } = video;
	const name = title || file.name;
	try {
		if (thumbnail) await putThumbnail(context, { hash, planId }, thumbnail);
		await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'editVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			body: { name },
		});
	} catch (error) {
		const failure = toNodeError(context, error);
		if (!isServiceError(failure, /^404$/)) throw unfinished(failure.message, runAgain);
		(await UploadMemory.of(context)).forget(record);
		throw unfinished(failure.message, 'If the video was deleted, run this again to upload the file again.');
	}
	record.video = withName(video, name);
	record.status = 'done';
	return record.video;
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
