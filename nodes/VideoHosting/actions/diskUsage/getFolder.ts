import { diskUsage } from '../../service/diskUsage';
import { chosenFolder, folderField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolder: Operation = {
	name: 'Get for Folder',
	description: 'Get the disk space that a folder and its videos use, in bytes and in a readable form',
	action: 'Get disk usage of folder',
	parameters: [folderField],
	async execute(item) {
		return await diskUsage(item.context, await chosenFolder(item));
	},
};
