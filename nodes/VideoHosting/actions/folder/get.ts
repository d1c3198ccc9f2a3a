import { withoutSecrets } from '../../transport/secrets';
import { folderField } from '../fields';
import type { Operation } from '../operation';
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
	parameters: [folderField],
	async execute(item) {
		return withoutSecrets(await folderRecord(item, item.read(folderField)));
	},
};
