import type { IDataObject } from 'n8n-workflow';

import type { FolderReference } from '../../parameters/identifiers';
import { resolveFolder } from '../../service/folderLookup';
import { findFolder } from '../../service/folders';
import type { Item } from '../item';

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
