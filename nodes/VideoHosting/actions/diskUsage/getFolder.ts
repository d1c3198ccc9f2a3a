import { updateDisplayOptions } from 'n8n-workflow';

import { resolveFolder } from '../../service/folderLookup';
import { folderField } from '../../parameters/locators';
import type { Operation } from '../operation';
import { toRequiredFolder } from '../parameters';
import { folderUsage } from './folderUsage';

/** See docs/api-reference.md#disk-usage-of-a-gallery. */
export const getFolder: Operation = {
	option: {
		name: 'Get for Folder',
		value: 'getFolder',
		description: 'Get the disk space that a folder and its videos use, in bytes and in a readable form',
		action: 'Get disk usage of folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['diskUsage'], operation: ['getFolder'] } }, [
		folderField,
	]),
	async execute(item) {
		const { context, itemIndex, read } = item;
		const uuid = await resolveFolder(context, read(folderField, toRequiredFolder), { itemIndex });
		return await folderUsage(context, itemIndex, uuid);
	},
};
