import { quoted } from '../../parameters/values';
import { findVideo } from '../../service/videos';
import { OperationError } from '../../transport/serviceError';
import { chosenVideo, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#list-videos: the service has no operation for one video, so it is found in the list. */
export const get: Operation = {
	name: 'Get',
	description: 'Get a video by its hash or name',
	action: 'Get video',
	parameters: [videoField, planIdOption],
	async execute(item) {
		const { planId, hash, video: chosen } = await chosenVideo(item);
		const video = chosen ?? (await findVideo(item.context, planId, hash));
		if (video) return video.record;
		throw new OperationError(
			`The plan ${planId} has no video with the hash ${quoted(hash)}`,
			'Check Video and Plan ID. A new video may take a while to be listed.',
		);
	},
};
