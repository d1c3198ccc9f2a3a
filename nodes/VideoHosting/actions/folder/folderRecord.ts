import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { FolderReference } from '../../parameters/identifiers';
import { resolveFolder } from '../../service/folderLookup';
import { findFolder } from '../../service/folders';

/**
 * The record of a folder that a user chose: the service has no request for one folder, so it is found in the list
 * (docs/api-reference.md#list-galleries).
 *
 * @throws NodeOperationError unless exactly one folder is meant; NodeApiError when the list cannot be read
 */
export async function folderRecord(
	context: IExecuteFunctions,
	itemIndex: number,
	chosen: FolderReference,
): Promise<IDataObject> {
	const uuid = await resolveFolder(context, chosen, { itemIndex });
	const folder = await findFolder(context, uuid, itemIndex);
	if (folder) return folder;
	throw new NodeOperationError(context.getNode(), `The application has no folder with the UUID ${uuid}`, {
		itemIndex,
		description: 'It may have been deleted, or belong to another application.',
	});
}
