import { listFolders } from '../../service/folders';
import { withoutSecrets } from '../../transport/secrets';
import { limitField, limitOf, returnAllField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#list-galleries. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many folders of the application',
		action: 'Get many folders',
	},
	parameters: [returnAllField, limitField],
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const folders = await listFolders(context, itemIndex);
		return withoutSecrets(folders.slice(0, limit));
	},
};
