import type { IExecuteFunctions } from 'n8n-workflow';

import { withName, type Video } from '../service/video';
import { asSentence, isServiceError, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { NO_SUCH_RECORD, NOT_FOUND } from '../transport/response';
import { UploadMemory, type UploadRecord } from './memory';
import { findNewVideo, UPLOAD_AGAIN } from './newVideo';
import { hasMark } from './videoNames';

/** An image file in memory. */
export interface ImageFile {
	bytes: Buffer;
	/** `image/…` */
	mimeType: string;
	fileName: string | undefined;
}

const RUN_AGAIN = 'Run this again with the same file: it is not sent again.';

/**
 * Gives the video of a complete upload its name, which is the title or the file name, then its thumbnail.
 *
 * @returns the video with its new name
 * @throws NodeOperationError; the upload stays `complete`, so that the same file finishes it without being sent again
 */
export async function finishVideo(
	context: IExecuteFunctions,
	record: UploadRecord,
	{ planId, thumbnail }: { planId: string; thumbnail: ImageFile | undefined },
): Promise<Video> {
	const { file, title, uploadId } = record;
	const memory = await UploadMemory.of(context);
	const name = title || file.name;
	const titleOrName = title === '' ? 'name' : 'title';
	/** @param advice when the video is gone or cannot be found: the next run starts from the beginning */
	const unfinished = (parts: string, reason: string, advice?: string) => {
		if (advice !== undefined) memory.forget(record);
		const message = `"${file.name}" is uploaded (upload ${uploadId}), but its ${parts} could not be set: ${asSentence(reason)}`;
		const failure = operationError(context, message, advice ?? RUN_AGAIN);
		// A try of Retry On Fail would send the file again.
		return advice === undefined ? failure : noteCarriedOut(failure);
	};
	const both = thumbnail ? `${titleOrName} and thumbnail` : titleOrName;
	const found = await findNewVideo(context, planId, record);
	if (!found.video) throw unfinished(both, found.reason, found.advice);
	const { hash } = found.video;
	if (hash === undefined) throw unfinished(both, 'the record of the video contains no hash');
	const editPath = path('videos', 'editVideo', hash, planId);
	const headers = { 'Content-Type': 'application/json' };
	await requestJson(context, { method: 'PUT', path: editPath, headers, body: { name } }).catch(
		(error: unknown) => {
			// 400 and 422 may be about the name, or say that the video is gone: the next run looks for it, by its first name.
			if (isServiceError(error, NO_SUCH_RECORD) && hasMark(found.video.name, record.mark))
				record.video = undefined;
			const advice = isServiceError(error, NOT_FOUND) ? UPLOAD_AGAIN : undefined;
			throw unfinished(both, toNodeError(context, error).message, advice);
		},
	);
	// Video → Update may have been faster.
	if (record.title === title) record.video = withName(found.video, name);
	if (thumbnail)
		await putThumbnail(context, { hash, planId }, thumbnail).catch((error: unknown) => {
			throw unfinished('thumbnail', toNodeError(context, error).message);
		});
	if (thumbnail) record.needsThumbnail = false;
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
	form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName || 'thumbnail');
	const thumbnailPath = path('videos', 'uploadThumb', hash, planId);
	return await requestJson(context, { method: 'PUT', path: thumbnailPath, body: form });
}
