import type { IDataObject } from 'n8n-workflow';

import { findFolder, listFolders } from '../../service/folders';
import { chosenFolder, folderField, limitField, limitOf, returnAllField } from '../fields';
import type { Item } from '../item';
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
		return await folderRecord(item, await chosenFolder(item));
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
		return folders.slice(0, limit);
	},
};

/** @throws NodeOperationError when there is no folder with this UUID; NodeApiError when the list cannot be read */
export async function folderRecord(
	item: Item,
	uuid: string,
	advice = 'It may have been deleted, or belong to another application.',
): Promise<IDataObject> {
	const folder = await findFolder(item.context, uuid);
	if (folder) return folder;
	throw item.error(`The application has no folder with the UUID ${uuid}`, advice);
}
