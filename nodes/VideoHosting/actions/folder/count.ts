import { path, requestJson } from '../../transport/request';
import type { Operation } from '../operation';

/** See docs/api-reference.md#count-galleries. */
export const count: Operation = {
	name: 'Count',
	description: 'Get the number of folders of the application',
	action: 'Count folders',
	parameters: [],
	async execute(item) {
		return await requestJson(item.context, { method: 'GET', path: path('folders', 'total') });
	},
};
