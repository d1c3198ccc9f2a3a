import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toRequiredText } from '../../parameters/values';
import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../transport/secrets';
import { videoPages } from '../../service/videos';
import { limitField, optionsField, planIdOption, returnAllField } from '../fields';
import type { Operation } from '../operation';
import { limitOf, planIdOf } from '../parameters';

const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. interview',
	description: 'Name, or part of a name, to search for. The service decides how closely it must match.',
};

const properties: INodeProperties[] = [nameField, returnAllField, limitField, optionsField(planIdOption)];

/** See docs/api-reference.md#search-videos-by-name. */
export const search: Operation = {
	option: {
		name: 'Search',
		value: 'search',
		description: 'Find videos by their name',
		action: 'Search videos',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['search'] } }, properties),
	async execute(item) {
		const { context, itemIndex } = item;
		const name = item.read(nameField, toRequiredText);
		const limit = limitOf(item);
		const planId = await planIdOf(item);
		return withoutSecrets(await firstRecords(videoPages(context, planId, { name }, itemIndex), limit));
	},
};
