import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../transport/secrets';
import { videoPages } from '../../service/videos';
import { optionsField, planIdOption, returnAllFields } from '../fields';
import type { Operation } from '../operation';
import { limitParameter, planIdParameter, requiredTextParameter } from '../parameters';

const properties: INodeProperties[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. interview',
		description: 'Name, or part of a name, to search for. The service decides how closely it must match.',
	},
	...returnAllFields,
	optionsField(planIdOption),
];

/** See docs/api-reference.md#search-videos-by-name. */
export const search: Operation = {
	option: {
		name: 'Search',
		value: 'search',
		description: 'Find videos by their name',
		action: 'Search videos',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['search'] } }, properties),
	async execute(context, itemIndex) {
		const name = requiredTextParameter(context, itemIndex, 'name', 'Name');
		const limit = limitParameter(context, itemIndex);
		const planId = await planIdParameter(context, itemIndex);
		return withoutSecrets(await firstRecords(videoPages(context, planId, { name }, itemIndex), limit));
	},
};
