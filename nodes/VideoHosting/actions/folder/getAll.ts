import { folderPages } from '../../service/folders';
import { firstRecords } from '../../service/paging';
import { limitFields, limitOf } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#list-galleries. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many folders of the application',
	action: 'Get many folders',
	parameters: limitFields,
	returnsList: true,
	async execute(item) {
		const limit = limitOf(item);
		const folders = await firstRecords(folderPages(item.context), limit);
		return folders.map(({ record }) => record);
	},
};
