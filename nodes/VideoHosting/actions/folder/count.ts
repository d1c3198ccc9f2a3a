import { path, requestJson } from '../../transport/request';
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
	properties: [],
	async execute(item) {
		const { context, itemIndex } = item;
		const request = { method: 'GET', path: path('folders', 'total'), itemIndex } as const;
		return withoutSecrets(await requestJson(context, request));
	},
};
