import { listFolders } from '../../service/folders';
import { limitField, limitOf, returnAllField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#list-galleries. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many folders of the application',
	action: 'Get many folders',
	parameters: [returnAllField, limitField],
	returnsList: true,
	async execute(item) {
		const limit = limitOf(item);
		const folders = await listFolders(item.context);
		return folders.slice(0, limit).map(({ record }) => record);
	},
};
