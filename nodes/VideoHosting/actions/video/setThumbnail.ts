import { putThumbnail } from '../../upload/finishVideo';
import { changedRecord } from '../../service/record';
import { toVideo } from '../../service/video';
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

/** See docs/api-reference.md#set-a-thumbnail. */
export const setThumbnail: Operation = {
	name: 'Set Thumbnail',
	description: 'Replace the preview image of a video',
	action: 'Set video thumbnail',
	parameters: [videoField, sourceField, binaryField, urlField, planIdOption],
	async execute(item) {
		const { context } = item;
		// All parameters must be valid before a file is requested.
		item.read(videoField);
		await planIdOf(item);
		const isUrl = item.read(sourceField) === 'url';
		const image = isUrl
			? await urlImage(item, item.read(urlField))
			: await binaryImage(item, binaryFileOf(item, binaryField));
		const { planId, hash } = await chosenVideo(item);
		const response = await putThumbnail(context, { hash, planId }, image);
		return { ...jsonObject(changedRecord(response, 'video', toVideo)), thumbnailSet: true };
	},
};
