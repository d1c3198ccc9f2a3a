import { path } from '../../transport/request';
import { binaryFileOf } from '../binaryFile';
import { binaryField, planIdOption, sourceField, urlField, videoField } from '../fields';
import type { Operation } from '../operation';
import { jsonObject, recordOutput } from '../recordOutput';
import { chosenVideo } from './chosenVideo';
import { binaryImage, urlImage } from './thumbnailImage';

/** See docs/api-reference.md#set-a-thumbnail. */
export const setThumbnail: Operation = {
	option: {
		name: 'Set Thumbnail',
		value: 'setThumbnail',
		description: 'Replace the preview image of a video',
		action: 'Set video thumbnail',
	},
	parameters: [videoField, sourceField, binaryField, urlField, planIdOption],
	async execute(item) {
		const isUrl = item.read(sourceField) === 'url';
		const url = isUrl ? item.read(urlField) : '';
		const binary = isUrl ? '' : binaryFileOf(item, binaryField);
		const { planId, hash } = await chosenVideo(item);
		const { bytes, mimeType, fileName } = isUrl ? await urlImage(item, url) : await binaryImage(item, binary);
		const form = new FormData();
		// A copy of an image is small; Blob requires an ArrayBuffer of its own.
		form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName ?? 'thumbnail');

		const response = await item.request('PUT', path('videos', 'uploadThumb', hash, planId), form);
		return { ...jsonObject(recordOutput(response, 'video')), thumbnailSet: true };
	},
};
