import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../service/request';
import { planIdField, videoField } from '../fields';
import type { Operation } from '../operation';
import { binaryParameter, invalidParameter, planIdParameter, videoHashParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

const properties: INodeProperties[] = [
	planIdField,
	videoField,
	{
		displayName: 'Input Binary Field',
		name: 'binaryPropertyName',
		type: 'string',
		required: true,
		default: 'data',
		hint: 'The name of the input binary field that holds the image',
		description: 'Field of the input item that holds the image file',
	},
];

/** See docs/api-reference.md#set-a-thumbnail. */
export const setThumbnail: Operation = {
	option: {
		name: 'Set Thumbnail',
		value: 'setThumbnail',
		description: 'Replace the preview image of a video',
		action: 'Set the thumbnail of a video',
	},
	properties: updateDisplayOptions(
		{ show: { resource: ['video'], operation: ['setThumbnail'] } },
		properties,
	),
	async execute(context, itemIndex) {
		const hash = videoHashParameter(context, itemIndex);
		const binary = binaryParameter(context, itemIndex);
		const planId = await planIdParameter(context, itemIndex);

		const place = typeof binary === 'string' ? ` in "${binary}"` : '';
		const { fileName, mimeType } = context.helpers.assertBinaryData(itemIndex, binary);
		if (!/^image\//i.test(mimeType)) {
			throw invalidParameter(
				context,
				itemIndex,
				`The file${place} is not an image but ${mimeType}: choose an image`,
			);
		}
		const image = await context.helpers.getBinaryDataBuffer(itemIndex, binary);
		if (image.length === 0)
			throw invalidParameter(context, itemIndex, `The image${place} is empty: it has 0 bytes`);
		const form = new FormData();
		// A copy of an image is small; Blob wants an ArrayBuffer of its own.
		form.append('file', new Blob([new Uint8Array(image)], { type: mimeType }), fileName ?? 'thumbnail');

		const answer = await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'uploadThumb', hash, planId),
			body: form,
			itemIndex,
		});
		return recordOutput(answer, 'video');
	},
};
