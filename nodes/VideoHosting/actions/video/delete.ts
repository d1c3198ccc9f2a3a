import { path } from '../../transport/request';
import { planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { chosenVideo } from './chosenVideo';

/** See docs/api-reference.md#delete-a-video. */
export const deleteVideo: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a video permanently',
		action: 'Delete video',
	},
	parameters: [videoField, planIdOption],
	async execute(item) {
		const { planId, hash, name } = await chosenVideo(item);
		await item.request('DELETE', path('videos', 'deleteVideo', hash, planId));
		return { deleted: true, hash, ...(name === undefined ? {} : { name }) };
	},
};
