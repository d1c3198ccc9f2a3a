import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { videoHashOf, videoNameOf } from '../service/recordFields';
import { asSentence, isServiceError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { Ledger } from './ledger';
import type { OpenEntry } from './ledgerEntry';
import { markedName, unmarkedName } from './videoMatch';
import { NewVideos } from './newVideo';

/** An image file in memory. */
export interface ImageFile {
	bytes: Buffer;
	/** `image/…` */
	mimeType: string;
	fileName: string | undefined;
}

/** An upload that is complete while its video does not have its thumbnail or its name yet. */
export class UnfinishedVideoError extends NodeOperationError {}

/**
 * Gives the video of a complete upload with a mark its thumbnail, and then its name: the title, or its name without the mark. So
 * a video without a mark has both.
 *
 * @returns the video with its new name
 * @throws UnfinishedVideoError, which reports what remains to do; the upload stays in the ledger until that is done
 */
export async function finishVideo(
	context: IExecuteFunctions,
	entry: OpenEntry,
	{ planId, thumbnail }: { planId: string; thumbnail: ImageFile | undefined },
): Promise<IDataObject> {
	const ledger = await Ledger.of(context);
	const { file, mark = '', title, uploadId } = entry;
	const left = [...(title === '' ? [] : ['title']), ...(thumbnail ? ['thumbnail'] : [])];
	const unfinished = (reason: string, isDeleted = false) => {
		const what = left.join(' and ') || 'name';
		const advice = isDeleted
			? 'If the video was deleted, run this again to upload the file again.'
			: 'Run this again with the same file: it is not uploaded again.';
		const message = `The upload of "${file.name}" is complete (upload ${uploadId}), but its ${what} could not be set: ${asSentence(reason)} ${advice}`;
		return new UnfinishedVideoError(context.getNode(), message);
	};
	// Found once, it needs no search again, whatever its name is by now.
	if (entry.videoHash !== undefined) entry.video ??= { hash: entry.videoHash };
	const videos = await NewVideos.of(context, planId);
	const { video, reason = 'its record has no hash' } = await videos.find(entry);
	const hash = video && videoHashOf(video);
	if (!video || hash === undefined) {
		throw unfinished(`${reason}. It will appear as "${markedName(file.name, mark)}"`);
	}
	ledger.record(context, uploadId, { status: 'complete', videoHash: hash });
	const oldName = videoNameOf(video);
	const name = title === '' ? unmarkedName(file.name, oldName ?? file.name) : title;
	try {
		if (thumbnail) {
			await putThumbnail(context, { hash, planId }, thumbnail);
			left.pop();
		}
		await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'editVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			body: { name },
		});
	} catch (error) {
		const failure = toNodeError(context, error);
		// It was deleted meanwhile.
		const isDeleted = isServiceError(failure, /^404$/);
		if (isDeleted) ledger.record(context, uploadId, { status: 'lost' });
		throw unfinished(failure.message, isDeleted);
	}
	ledger.record(context, uploadId, { status: 'done' });
	return Object.fromEntries(
		Object.entries(video).map(([field, value]) => [
			field,
			value === oldName && /name|title/i.test(field) ? name : value,
		]),
	);
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
