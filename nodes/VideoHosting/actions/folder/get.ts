import { existingFolder } from '../../service/folders';
import { chosenFolder, folderField } from '../fields';
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
