import { resolveFolder } from '../../service/folderLookup';
import { optionalPlanOrDefault } from '../../service/plan';
import { resolveVideo } from '../../service/recordByName';
import { findVideo } from '../../service/recordDirectory';
import { createFolderOption, folderField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';

/**
 * See docs/api-reference.md#move-a-video. The plan is for the picker and for the check before a folder is created; the
 * request does not contain it.
 */
export const move: Operation = {
	name: 'Move',
	description: 'Move a video to a folder',
	action: 'Move video',
	parameters: [
		videoField,
		{
			...folderField,
			description:
				'Folder to move the video to, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
		},
		createFolderOption,
		planIdOption,
	],
	async execute(item) {
		const { context } = item;
		const video = item.read(videoField);
		const chosen = item.read(folderField);
		const createIfMissing = item.read(createFolderOption);
		const ownPlanId = item.read(planIdOption);
		const hash = await resolveVideo(context, video, ownPlanId);
		const folder = await resolveFolder(context, chosen, {
			createIfMissing,
			beforeCreate: async () => {
				const planId = await optionalPlanOrDefault(context, ownPlanId);
				// Without a plan no list shows the video, so that only the move itself can.
				if (planId === undefined) return;
				const { video: listed, isComplete } = await findVideo(context, planId, hash);
				// A very long list is not read to its end.
				if (listed || !isComplete) return;
				throw item.error(
					`The plan ${planId} has no video with the hash "${hash}", so no folder was created`,
					'Check Video and Plan ID. A new video may take a while to be listed.',
				);
			},
		});
		const response = await item.request('PUT', ['videos', 'moveVideo', hash], { folder_uuid: folder });
		return recordOutput(response, 'video');
	},
};
