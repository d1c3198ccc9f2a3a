import { putThumbnail } from '../../upload/finishVideo';
import { recordIn } from '../../transport/response';
import { binaryFileOf } from '../binaryFile';
import {
	binaryField,
	chosenVideo,
	planIdOf,
	planIdOption,
	sourceField,
	urlField,
	videoField,
} from '../fields';
import { jsonObject, type Operation } from '../operation';
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
	name: 'Set Thumbnail',
	description: 'Replace the preview image of a video',
	action: 'Set video thumbnail',
	parameters: [videoField, imageSourceField, imageField, imageUrlField, planIdOption],
	async execute(item) {
		const { context } = item;
		// All parameters must be valid before a file is requested.
		item.read(videoField);
		await planIdOf(item);
		const isUrl = item.read(imageSourceField) === 'url';
		const url = isUrl ? item.read(imageUrlField) : '';
		const binary = isUrl ? '' : binaryFileOf(item, imageField);
		const image = isUrl ? await urlImage(item, url) : await binaryImage(item, binary);
		const { planId, hash } = await chosenVideo(item);
		const response = await putThumbnail(context, { hash, planId }, image);
		return { ...jsonObject(recordIn(response, 'video')), thumbnailSet: true };
	},
};
