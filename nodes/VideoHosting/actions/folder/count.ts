import type { Operation } from '../operation';

/** See docs/api-reference.md#count-galleries. */
export const count: Operation = {
	name: 'Count',
	description: 'Get the number of folders of the application',
	action: 'Count folders',
	parameters: [],
	async execute(item) {
		return await item.request('GET', ['folders', 'total'], undefined, '');
	},
};
