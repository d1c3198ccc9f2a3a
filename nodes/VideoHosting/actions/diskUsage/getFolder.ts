import { resolveFolder } from '../../service/folderLookup';
import { path } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { folderField } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { withReadableSizes } from './readableSizes';

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

/**
 * The disk usage of one folder and its videos (docs/api-reference.md#disk-usage-of-a-gallery) without secrets, with readable
 * sizes.
 *
 * @throws NodeApiError when the service rejects the request
 */
export async function folderUsage(item: Item, uuid: string): Promise<unknown> {
	const response = await item.request('GET', path('videos', 'diskusagebyfolderandvideo', uuid));
	return withReadableSizes(withoutSecrets(response));
}
