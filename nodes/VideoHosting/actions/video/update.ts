import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../transport/request';
import { planIdField, videoField } from '../fields';
import type { Operation } from '../operation';
import { planIdParameter, requiredTextParameter, videoHashParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

const properties: INodeProperties[] = [
	planIdField,
	videoField,
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Interview, final cut',
		description: 'New name of the video',
	},
];

/** See docs/api-reference.md#rename-a-video. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Rename a video',
		action: 'Update a video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['update'] } }, properties),
	async execute(context, itemIndex) {
		const hash = videoHashParameter(context, itemIndex);
		const name = requiredTextParameter(context, itemIndex, 'name', 'Name');
		const planId = await planIdParameter(context, itemIndex);
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
