import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { explanationOf, toNodeError } from '../../transport/errors';
import { path, requestJson } from '../../transport/request';
import { videoHashOf, videoNameOf } from '../../service/recordFields';
import { setErrorDetails } from '../errorItem';
import type { ThumbnailImage } from '../video/thumbnailImage';
import { noVideoReason } from './hints';
import type { LookupResult } from './matchVideos';

/** What Upload changes in the new video. */
export interface VideoChanges {
	/** '' for none. */
	title: string;
	thumbnail: ThumbnailImage | undefined;
}

/** The upload that the changes belong to; it is complete. */
export interface CompleteUpload {
	planId: string;
	uploadId: string | undefined;
	fileName: string;
	size: number;
	itemIndex: number;
	/** Whether the service had the whole file before this run: its video cannot be distinguished from others listed then. */
	wasComplete: boolean;
}

/**
 * Sets the thumbnail and then the title, so that a video that has the title has both.
 *
 * @param lookup the new video; without one nothing is changed
 * @returns the video with its new name
 * @throws NodeOperationError that reports that the upload is complete and what remains to do
 */
export async function changeNewVideo(
	context: IExecuteFunctions,
	lookup: LookupResult,
	{ title, thumbnail }: VideoChanges,
	upload: CompleteUpload,
): Promise<IDataObject> {
	const { video } = lookup;
	const hash = video && videoHashOf(video);
	if (!video || hash === undefined) {
		const reason = upload.wasComplete
			? 'the file was complete before this run, so its video cannot be distinguished from older videos of the same name'
			: noVideoReason(video ? 'notListed' : lookup.problem);
		throw incompleteError(context, upload, reason, { title, thumbnail });
	}
	const { itemIndex, planId } = upload;
	const left = { title, thumbnail };
	try {
		if (thumbnail) {
			const form = new FormData();
			const { bytes, fileName, mimeType } = thumbnail;
			// A copy of an image is small; Blob requires an ArrayBuffer of its own.
			form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName ?? 'thumbnail');
			const thumbnailPath = path('videos', 'uploadThumb', hash, planId);
			await requestJson(context, { method: 'PUT', path: thumbnailPath, body: form, itemIndex });
			left.thumbnail = undefined;
		}
		if (title !== '') {
			await requestJson(context, {
				method: 'PUT',
				path: path('videos', 'editVideo', hash, planId),
				headers: { 'Content-Type': 'application/json' },
				body: { name: title },
				itemIndex,
			});
		}
	} catch (error) {
		throw incompleteError(context, upload, explanationOf(toNodeError(context, error)).happened, left);
	}
	if (title === '') return video;
	const oldName = videoNameOf(video);
	return Object.fromEntries(
		Object.entries(video).map(([name, value]) => [
			name,
			value === oldName && /name|title/i.test(name) ? title : value,
		]),
	);
}

function incompleteError(
	context: IExecuteFunctions,
	{ fileName, itemIndex, size, uploadId }: CompleteUpload,
	reason: string,
	{ title, thumbnail }: VideoChanges,
): NodeOperationError {
	const what = [...(title === '' ? [] : ['title']), ...(thumbnail ? ['thumbnail'] : [])].join(' and ');
	const operations = [
		...(title === '' ? [] : ['Video → Update']),
		...(thumbnail ? ['Video → Set Thumbnail'] : []),
	].join(' and ');
	const id = uploadId === undefined ? '' : ` (upload ${uploadId})`;
	const error = new NodeOperationError(
		context.getNode(),
		`The upload of "${fileName}" is complete${id}, but its ${what} could not be set: ${reason.replace(/\.$/, '')}. Set the ${what} later with ${operations}; do not upload the file again.`,
		{
			itemIndex,
			description: 'With Skip If Exists on, running this again does not upload the file a second time.',
		},
	);
	setErrorDetails(error, { uploadId: uploadId ?? null, offset: size, size, complete: true });
	return error;
}
