import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { isSameName, recordOf } from '../service/record';
import { toVideo, withName } from '../service/video';
import { errorMessage } from '../shared/text';
import { ageOf } from '../shared/waiting';
import { saysNoSuchRecord } from '../transport/errorMeaning';
import { path, requestJson } from '../transport/request';
import { OperationError, asSentence } from '../transport/serviceError';
import type { ImageFile, UploadJob } from './job';
import { REMEMBERED_MS } from './memory';
import type { LookupResult, PendingUpload, UploadedVideo, UploadMemory } from './memory';
import { lookUp } from './newVideo';
import { firstName } from './videoNames';

const RUN_AGAIN = 'Run this again with the same file: it is not sent again.';

const RUN_OR_RENAME = `${RUN_AGAIN} Find the video with Video → Search and rename it with Video → Update.`;

const UPLOAD_AGAIN = 'If the video was deleted, upload the file again.';

/**
 * Finds the video of an uploaded file and sets its thumbnail, then its name, which removes the mark: the title, else the file name.
 *
 * @param isLost whether only the video proves that the file has arrived
 * @returns the video with its new name; undefined when it is not to be found
 * @throws OperationError; the same file finishes the upload without being sent again
 */
export async function finishVideo(
	context: IExecuteFunctions,
	memory: UploadMemory,
	uploaded: UploadedVideo,
	{ returnVideo, thumbnail }: Pick<UploadJob, 'returnVideo' | 'thumbnail'>,
	isLost: boolean,
): Promise<LookupResult | undefined> {
	const { file, isDone, mark, planId, title, uploadId } = uploaded;
	const isWanted = isDone ? returnVideo || isLost : uploaded.hash === undefined;
	const found = isWanted && planId !== undefined ? await lookUp(context, memory, uploaded) : undefined;
	if (isLost && !found?.video) throw lostResponseError(uploaded);
	if (isDone || planId === undefined) return found;

	const what = title === '' ? 'name' : 'title';
	const parts = thumbnail ? `${what} and thumbnail` : what;
	/** @param isGone whether no later run can set them: the next one starts from the beginning */
	const failure = (reason: string, isGone = false) => {
		const message = `${quoted(file.name)} is uploaded (upload ${uploadId}), but its ${parts} could not be set: ${asSentence(reason)}`;
		if (!isGone) return new OperationError(message, mark === undefined ? RUN_OR_RENAME : RUN_AGAIN);
		memory.forget(uploaded);
		// A try of Retry On Fail would send the file again.
		return new OperationError(message, UPLOAD_AGAIN, { mayBeCarriedOut: true });
	};
	if (found && !found.video) {
		const isGone = ageOf(uploaded.at) >= REMEMBERED_MS;
		throw failure(isGone ? 'somebody has deleted or renamed the video since' : found.reason, isGone);
	}
	const { hash } = uploaded;
	if (hash === undefined) throw failure('the record of the video contains no hash');
	const name = title || file.name;
	let isShown: boolean;
	try {
		if (thumbnail) await putThumbnail(context, { hash, planId }, thumbnail);
		const headers = { 'Content-Type': 'application/json' };
		const editPath = path('videos', 'editVideo', hash, planId);
		const response = await requestJson(context, { method: 'PUT', path: editPath, headers, body: { name } });
		// It may also show the name before, or as the service has cut it.
		isShown = isSameName(toVideo(recordOf(response, 'video')).name, name);
	} catch (error) {
		// About the value, or the video is gone, or a part of the service does not know it yet: the next run looks for it.
		if (saysNoSuchRecord(error)) uploaded.hash = undefined;
		throw failure(errorMessage(error));
	}
	memory.finish(uploaded);
	if (!found?.video) return await lookUp(context, memory, uploaded);
	return { video: withName(found.video, name), sentName: isShown ? undefined : name };
}

/** The error for an upload whose bytes were all sent: the connection broke before the last response, and the service has dropped the upload. */
export function lostResponseError({
	file,
	mark,
	uploadId,
}: Pick<PendingUpload, 'file' | 'mark' | 'uploadId'>): OperationError {
	const message = `The whole file of upload ${uploadId} was sent, but the last response of the service was lost.`;
	const advice = `Look for the video ${quoted(firstName(file.name, mark))} before you run this again.`;
	return new OperationError(message, advice, { mayBeCarriedOut: true });
}

/** The request of docs/api-reference.md#set-a-thumbnail. Throws ServiceError when the service rejects it. */
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
