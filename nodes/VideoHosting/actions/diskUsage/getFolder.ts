import { resolveFolder } from '../../service/folderLookup';
import { folderField } from '../fields';
import type { Operation } from '../operation';
import { folderUsage } from './folderUsage';

/** See docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolder: Operation = {
	option: {
		name: 'Get for Folder',
		value: 'getFolder',
		description: 'Get the disk space that a folder and its videos use, in bytes and in a readable form',
		action: 'Get disk usage of folder',
	},
	parameters: [folderField],
	async execute(item) {
		const { context, itemIndex } = item;
		const uuid = await resolveFolder(context, item.read(folderField), { itemIndex });
		return await folderUsage(item, uuid);
	},
};
