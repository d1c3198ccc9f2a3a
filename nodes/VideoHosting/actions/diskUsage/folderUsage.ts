import type { IExecuteFunctions } from 'n8n-workflow';

import { path, requestJson } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { withReadableSizes } from './readableSizes';

/**
 * The disk usage of one folder and its videos (docs/api-reference.md#disk-usage-of-a-gallery) without secrets, with readable
 * sizes.
 *
 * @throws NodeApiError when the service rejects the request
 */
export async function folderUsage(
	context: IExecuteFunctions,
	itemIndex: number,
	uuid: string,
): Promise<unknown> {
	const response = await requestJson(context, {
		method: 'GET',
		path: path('videos', 'diskusagebyfolderandvideo', uuid),
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return withReadableSizes(withoutSecrets(response));
}
