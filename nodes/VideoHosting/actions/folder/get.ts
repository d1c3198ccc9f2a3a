import { updateDisplayOptions } from 'n8n-workflow';

import { withoutSecrets } from '../../transport/secrets';
import { folderField } from '../../parameters/locators';
import type { Operation } from '../operation';
import { toRequiredFolder } from '../parameters';
import { folderRecord } from './folderRecord';

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
	properties: updateDisplayOptions({ show: { resource: ['folder'], operation: ['get'] } }, [folderField]),
	async execute(item) {
		const { context, itemIndex, read } = item;
		return withoutSecrets(await folderRecord(context, itemIndex, read(folderField, toRequiredFolder)));
	},
};
