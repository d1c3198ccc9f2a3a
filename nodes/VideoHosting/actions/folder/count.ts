import { path } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import type { Operation } from '../operation';

/** See docs/api-reference.md#count-galleries. */
export const count: Operation = {
	option: {
		name: 'Count',
		value: 'count',
		description: 'Get the number of folders of the application',
		action: 'Count folders',
	},
	parameters: [],
	async execute(item) {
		return withoutSecrets(await item.request('GET', path('folders', 'total'), undefined, ''));
	},
};
