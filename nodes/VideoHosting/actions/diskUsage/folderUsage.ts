import { path } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import type { Item } from '../item';
import { withReadableSizes } from './readableSizes';

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
