import { path, requestJson } from '../../service/request';
import type { Operation } from '../operation';

/** See docs/api-reference.md#count-galleries. */
export const count: Operation = {
	option: {
		name: 'Count',
		value: 'count',
		description: 'Get the number of folders of the application',
		action: 'Count folders',
	},
	properties: [],
	async execute(context, itemIndex) {
		return await requestJson(context, { method: 'GET', path: path('folders', 'total'), itemIndex });
	},
};
