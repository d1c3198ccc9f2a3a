import { diskUsage } from '../../service/diskUsage';
import type { Operation } from '../operation';

/** See docs/api-reference.md#disk-usage-of-the-application. */
export const getApplication: Operation = {
	name: 'Get for Application',
	description: 'Get the disk space that all videos of the application use, in bytes and in a readable form',
	action: 'Get disk usage of application',
	parameters: [],
	async execute(item) {
		return await diskUsage(item.context);
	},
};
