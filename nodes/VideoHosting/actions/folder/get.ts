import type { IDataObject } from 'n8n-workflow';

import type { FolderReference } from '../../parameters/identifiers';
import { resolveFolder } from '../../service/folderLookup';
import { findFolder } from '../../service/folders';
import { withoutSecrets } from '../../transport/secrets';
import { folderField } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';

/**
 * See docs/api-reference.md#list-galleries: the service has no operation for one gallery, so it is found in the
 * list.
 */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get a folder by its UUID or name',
		action: 'Get folder',
	},
	parameters: [folderField],
	async execute(item) {
		return withoutSecrets(await folderRecord(item, item.read(folderField)));
	},
};

/**
 * The record of a folder that a user chose: the service has no request for one folder, so it is found in the list
 * (docs/api-reference.md#list-galleries).
 *
 * @throws NodeOperationError unless exactly one folder is meant; NodeApiError when the list cannot be read
 */
export async function folderRecord(item: Item, chosen: FolderReference): Promise<IDataObject> {
	const { context, itemIndex } = item;
	const uuid = await resolveFolder(context, chosen, { itemIndex });
	const folder = await findFolder(context, uuid, itemIndex);
	if (folder) return folder;
	throw item.error(
		`The application has no folder with the UUID ${uuid}`,
		'It may have been deleted, or belong to another application.',
	);
}
