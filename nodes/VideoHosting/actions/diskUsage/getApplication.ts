import { path } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import type { Operation } from '../operation';
import { withReadableSizes } from './readableSizes';

/** See docs/api-reference.md#disk-usage-of-the-application. */
export const getApplication: Operation = {
	option: {
		name: 'Get for Application',
		value: 'getApplication',
		description: 'Get the disk space that all videos of the application use, in bytes and in a readable form',
		action: 'Get disk usage of application',
	},
	parameters: [],
	async execute(item) {
		const response = await item.request('GET', path('videos', 'diskusagebyapp'));
		return withReadableSizes(withoutSecrets(response));
	},
};
