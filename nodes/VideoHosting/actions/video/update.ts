import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { singleIn } from '../../service/records';
import { path, request } from '../../service/request';
import { withoutSecrets } from '../../service/secrets';
import { planIdField, videoField } from '../fields';
import type { Operation } from '../operation';
import { planIdOf, requiredText, videoHashOfParameter } from '../parameters';

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

/** Reference 18. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Rename a video',
		action: 'Update a video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['update'] } }, properties),
	async execute(context, itemIndex) {
		const hash = videoHashOfParameter(context, itemIndex);
		const name = requiredText(context, itemIndex, 'name', 'Name');
		const planId = await planIdOf(context, itemIndex);
		const answer = await request(context, {
			method: 'PUT',
			path: path('videos', 'editVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			body: { name },
			itemIndex,
		});
		return withoutSecrets(singleIn(answer, 'video'));
	},
};
