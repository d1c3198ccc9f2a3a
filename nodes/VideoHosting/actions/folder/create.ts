import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../service/request';
import type { Operation } from '../operation';
import { requiredTextParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

const properties: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Webinars 2026',
		description: 'Name of the new folder',
	},
];

/** See docs/api-reference.md#create-a-gallery. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Create a new folder',
		action: 'Create a folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['create'] } }, properties),
	async execute(context, itemIndex) {
		const answer = await requestJson(context, {
			method: 'POST',
			path: path('folders'),
			headers: { 'Content-Type': 'application/json' },
			body: { name: requiredTextParameter(context, itemIndex, 'name', 'Name') },
			itemIndex,
		});
		return recordOutput(answer, 'folder');
	},
};
