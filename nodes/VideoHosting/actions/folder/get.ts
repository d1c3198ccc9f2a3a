import { existingFolder, listFolders } from '../../service/folders';
import { chosenFolder, folderField, limitField, limitOf, returnAllField } from '../fields';
import type { Operation } from '../operation';

/**
 * See docs/api-reference.md#list-galleries: the service has no operation for one gallery, so it is found in the
 * list.
 */
export const get: Operation = {
	name: 'Get',
	description: 'Get a folder by its UUID or name',
	action: 'Get folder',
	parameters: [folderField],
	async execute(item) {
		return (await existingFolder(item.context, await chosenFolder(item))).record;
	},
};

/** See docs/api-reference.md#list-galleries. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many folders of the application',
	action: 'Get many folders',
	parameters: [returnAllField, limitField],
	async execute(item) {
		const limit = limitOf(item);
		const folders = await listFolders(item.context);
		return folders.slice(0, limit).map(({ record }) => record);
	},
};
