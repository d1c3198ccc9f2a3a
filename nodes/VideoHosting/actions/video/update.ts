import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { resolveVideo } from '../../service/recordByName';
import { path, requestJson } from '../../transport/request';
import { optionsField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { planIdParameter, requiredTextParameter, videoParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

const properties: INodeProperties[] = [
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
	optionsField(planIdOption),
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
		const chosen = videoParameter(context, itemIndex);
		const name = requiredTextParameter(context, itemIndex, 'name', 'Name');
		const planId = await planIdParameter(context, itemIndex);
		const hash = await resolveVideo(context, chosen, planId, itemIndex);
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
