import { UploadMemory } from '../../upload/memory';
import { chosenVideo, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#delete-a-video. */
export const deleteVideo: Operation = {
	name: 'Delete',
	description: 'Delete a video permanently',
	action: 'Delete video',
	parameters: [videoField, planIdOption],
	async execute(item) {
		const { planId, hash, video } = await chosenVideo(item);
		await item.request('DELETE', ['videos', 'deleteVideo', hash, planId]);
		(await UploadMemory.of(item.context)).noteChange({ hash, video }, 'deleted');
		return { deleted: true, hash, ...(video ? { name: video.name } : {}) };
	},
};
