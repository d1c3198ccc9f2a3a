import { findVideo } from '../../service/recordDirectory';
import { chosenVideo, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#list-videos: the service has no operation for one video, so it is found in the list. */
export const get: Operation = {
	name: 'Get',
	description: 'Get a video by its hash or name, looked up among the newest videos of the plan',
	action: 'Get video',
	parameters: [videoField, planIdOption],
	async execute(item) {
		const { context } = item;
		const { planId, hash } = await chosenVideo(item);
		const { video, searched, isComplete } = await findVideo(context, planId, hash);
		if (video) return video;
		if (isComplete) {
			throw item.error(
				`The plan ${planId} has no video with the hash "${hash}"`,
				'Check Video and Plan ID. A new video may take a while to be listed.',
			);
		}
		throw item.error(
			`The video "${hash}" is not among the ${searched} videos of the plan ${planId} that were searched`,
			'The service has no request for a single video, so only part of a long list is searched. Use Video → Search, or Get Many with filters.',
		);
	},
};
