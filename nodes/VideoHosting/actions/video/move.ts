import { resolveFolder } from '../../service/folderLookup';
import { optionalPlanOrDefault } from '../../service/plan';
import { resolveVideo } from '../../service/recordByName';
import { findVideo } from '../../service/recordDirectory';
import { path } from '../../transport/request';
import { createFolderOption, folderField, planIdOption, videoField } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';

/**
 * See docs/api-reference.md#move-a-video. The plan is for the picker and for the check before a folder is created; the
 * request does not contain it.
 */
export const move: Operation = {
	option: {
		name: 'Move',
		value: 'move',
		description: 'Move a video to a folder',
		action: 'Move video',
	},
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
		const { context, itemIndex } = item;
		const video = item.read(videoField);
		const chosen = item.read(folderField);
		const createIfMissing = item.read(createFolderOption);
		const ownPlanId = item.read(planIdOption);
		const hash = await resolveVideo(context, video, ownPlanId, itemIndex);
		const folder = await resolveFolder(context, chosen, {
			itemIndex,
			createIfMissing,
			beforeCreate: async () => {
				await checkVideoExists(item, await optionalPlanOrDefault(context, ownPlanId), hash);
			},
		});
		const response = await item.request('PUT', path('videos', 'moveVideo', hash), { folder_uuid: folder });
		return recordOutput(response, 'video');
	},
};

/**
 * Checks that a folder is not created in vain. Without a plan no list shows the video, so that only the move itself can.
 *
 * @throws NodeOperationError when the plan has no such video; NodeApiError when its videos cannot be read
 */
async function checkVideoExists(item: Item, planId: string | undefined, hash: string): Promise<void> {
	if (planId === undefined) return;
	const { video, isComplete } = await findVideo(item.context, planId, hash, item.itemIndex);
	// A very long list is not read to its end.
	if (video || !isComplete) return;
	throw item.error(
		`The plan ${planId} has no video with the hash "${hash}", so no folder was created`,
		'Check Video and Plan ID. A new video may take a while to be listed.',
	);
}
