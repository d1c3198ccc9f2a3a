import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toListed } from '../../parameters/values';
import { path, requestJson } from '../../transport/request';
import { binaryFileOf } from '../binaryFile';
import { optionsField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { toWebAddress } from '../parameters';
import { recordOutput } from '../recordOutput';
import { jsonObject } from '../sent';
import { chosenVideo } from './chosenVideo';
import { binaryImage, urlImage } from './thumbnailImage';

const sourceField: INodeProperties = {
	displayName: 'Source',
	name: 'source',
	type: 'options',
	options: [
		{
			name: 'Binary Data',
			value: 'binary',
			description: 'An image in the item, from an earlier node',
		},
		{ name: 'URL', value: 'url', description: 'An image on the web' },
	],
	default: 'binary',
	description: 'Where the image comes from',
};

const binaryField: INodeProperties = {
	displayName: 'Input Binary Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the input binary field that contains the image',
	displayOptions: { show: { source: ['binary'] } },
	description: 'Field of the input item that contains the image file',
};

const urlField: INodeProperties = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://files.example.com/keynote.png',
	displayOptions: { show: { source: ['url'] } },
	description:
		'URL that the image can be downloaded from without signing in. The access token of the credential is not sent to it.',
};

const properties: INodeProperties[] = [
	videoField,
	sourceField,
	binaryField,
	urlField,
	optionsField(planIdOption),
];

/** See docs/api-reference.md#set-a-thumbnail. */
export const setThumbnail: Operation = {
	option: {
		name: 'Set Thumbnail',
		value: 'setThumbnail',
		description: 'Replace the preview image of a video',
		action: 'Set video thumbnail',
	},
	properties: updateDisplayOptions(
		{ show: { resource: ['video'], operation: ['setThumbnail'] } },
		properties,
	),
	async execute(item) {
		const { context, itemIndex } = item;
		const isUrl = item.read(sourceField, toListed) === 'url';
		const url = isUrl ? item.read(urlField, toWebAddress) : '';
		const binary = isUrl ? '' : binaryFileOf(item, binaryField);
		const { planId, hash } = await chosenVideo(item);
		const { bytes, mimeType, fileName } = isUrl
			? await urlImage(context, itemIndex, url)
			: await binaryImage(item, binary);
		const form = new FormData();
		// A copy of an image is small; Blob requires an ArrayBuffer of its own.
		form.append('file', new Blob([new Uint8Array(bytes)], { type: mimeType }), fileName ?? 'thumbnail');

		const response = await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'uploadThumb', hash, planId),
			body: form,
			itemIndex,
		});
		return { ...jsonObject(recordOutput(response, 'video')), thumbnailSet: true };
	},
};
