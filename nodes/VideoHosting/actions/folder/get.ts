import { NodeOperationError, updateDisplayOptions } from 'n8n-workflow';

import { findFolder, resolveFolder } from '../../service/folderLookup';
import { withoutSecrets } from '../../transport/secrets';
import { folderField } from '../fields';
import type { Operation } from '../operation';
import { folderParameter } from '../parameters';

/**
 * See docs/api-reference.md#list-galleries: the service has no operation for one gallery, so it is found in the
 * list.
 */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get a folder by its UUID or name',
		action: 'Get a folder',
	},
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['get'] } }, [folderField]),
	async execute(context, itemIndex) {
		const uuid = await resolveFolder(context, folderParameter(context, itemIndex), { itemIndex });
		const folder = await findFolder(context, uuid, itemIndex);
		if (folder) return withoutSecrets(folder);
		throw new NodeOperationError(context.getNode(), `The application has no folder with the UUID ${uuid}`, {
			itemIndex,
			description: 'It may have been deleted, or belong to another application.',
		});
	},
};
