import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../service/secrets';
import { videoPages } from '../../service/videos';
import { planIdField } from '../fields';
import type { Operation } from '../operation';
import { planIdParameter, requiredTextParameter } from '../parameters';

const properties: INodeProperties[] = [
	planIdField,
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. interview',
		description: 'Name, or part of a name, to search for. The service decides how closely it must match.',
	},
];

/** See docs/api-reference.md#search-videos-by-name: all videos that the service finds by a name. */
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
		const planId = await planIdParameter(context, itemIndex);
		return withoutSecrets(await firstRecords(videoPages(context, planId, { name }, itemIndex), Infinity));
	},
};
