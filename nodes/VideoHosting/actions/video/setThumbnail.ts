import { path } from '../../transport/request';
import { binaryFileOf } from '../binaryFile';
import { binaryField, planIdOption, sourceField, urlField, videoField } from '../fields';
import type { Operation } from '../operation';
import { jsonObject, recordOutput } from '../recordOutput';
import { chosenVideo } from './chosenVideo';
import { binaryImage, urlImage } from './thumbnailImage';

const imageSourceField = { ...sourceField, description: 'Where the image comes from' };

const imageField = {
	...binaryField,
	hint: 'The name of the input binary field that contains the image',
	description: 'Field of the input item that contains the image file',
};

const imageUrlField = {
	...urlField,
	placeholder: 'e.g. https://files.example.com/keynote.png',
	description:
		'URL that the image can be downloaded from without signing in. The access token of the credential is not sent to it.',
};

/** See docs/api-reference.md#set-a-thumbnail. */
export const setThumbnail: Operation = {
	option: {
		name: 'Set Thumbnail',
		value: 'setThumbnail',
		description: 'Replace the preview image of a video',
		action: 'Set video thumbnail',
	},
	parameters: [videoField, imageSourceField, imageField, imageUrlField, planIdOption],
	async execute(item) {
		const isUrl = item.read(imageSourceField) === 'url';
		const url = isUrl ? item.read(imageUrlField) : '';
		const binary = isUrl ? '' : binaryFileOf(item, imageField);
		const { planId, hash } = await chosenVideo(item);
		const { bytes, mimeType, fileName } = isUrl ? await urlImage(item, url) : await binaryImage(item, binary);
		const form = new FormData();
		// A copy of an image is small; Blob requires an ArrayBuffer of its own.
		form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName ?? 'thumbnail');

		const response = await item.request('PUT', path('videos', 'uploadThumb', hash, planId), form);
		return { ...jsonObject(recordOutput(response, 'video')), thumbnailSet: true };
	},
};
