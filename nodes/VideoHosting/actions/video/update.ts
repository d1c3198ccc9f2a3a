import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toRequiredText } from '../../parameters/values';
import { path, requestJson } from '../../transport/request';
import { optionsField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';
import { chosenVideo } from './chosenVideo';

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Interview, final cut',
	description: 'New name of the video',
};

const properties: INodeProperties[] = [videoField, nameField, optionsField(planIdOption)];

/** See docs/api-reference.md#rename-a-video. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Rename a video',
		action: 'Rename video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['update'] } }, properties),
	async execute(item) {
		const { context, itemIndex } = item;
		const name = item.read(nameField, toRequiredText);
		const { planId, hash } = await chosenVideo(item);
		const response = await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'editVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			body: { name },
			itemIndex,
		});
		return recordOutput(response, 'video');
	},
};
