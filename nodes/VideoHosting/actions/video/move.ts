import { NodeOperationError, updateDisplayOptions, type IExecuteFunctions } from 'n8n-workflow';

import { toRecordReference } from '../../parameters/identifiers';
import { toFlag, toText } from '../../parameters/values';
import { resolveFolder } from '../../service/folderLookup';
import { optionalPlanOrDefault } from '../../service/plan';
import { resolveVideo } from '../../service/recordByName';
import { path, requestJson } from '../../transport/request';
import { findVideo } from '../../service/recordDirectory';
import { folderField } from '../../parameters/locators';
import { createFolderOption, optionsField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { toRequiredFolder } from '../parameters';
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
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['move'] } }, [
		videoField,
		{
			...folderField,
			description:
				'Folder to move the video to, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
		},
		optionsField(createFolderOption, planIdOption),
	]),
	async execute(item) {
		const { context, itemIndex, option, read } = item;
		const video = read(videoField, toRecordReference);
		const chosen = read(folderField, toRequiredFolder);
		const createIfMissing = option(createFolderOption, toFlag);
		const ownPlanId = option(planIdOption, toText);
		const hash = await resolveVideo(context, video, ownPlanId, itemIndex);
		const folder = await resolveFolder(context, chosen, {
			itemIndex,
			createIfMissing,
			beforeCreate: async () => {
				await checkVideoExists(context, await optionalPlanOrDefault(context, ownPlanId), hash, itemIndex);
			},
		});
		const response = await requestJson(context, {
			method: 'PUT',
			path: path('videos', 'moveVideo', hash),
			headers: { 'Content-Type': 'application/json' },
			body: { folder_uuid: folder },
			itemIndex,
		});
		return recordOutput(response, 'video');
	},
};

/**
 * Checks that a folder is not created in vain. Without a plan no list shows the video, so that only the move itself can.
 *
 * @throws NodeOperationError when the plan has no such video; NodeApiError when its videos cannot be read
 */
async function checkVideoExists(
	context: IExecuteFunctions,
	planId: string | undefined,
	hash: string,
	itemIndex: number,
): Promise<void> {
	if (planId === undefined) return;
	const { video, isComplete } = await findVideo(context, planId, hash, itemIndex);
	// A very long list is not read to its end.
	if (video || !isComplete) return;
	throw new NodeOperationError(
		context.getNode(),
		`The plan ${planId} has no video with the hash "${hash}", so no folder was created`,
		{ itemIndex, description: 'Check Video and Plan ID. A new video may take a while to be listed.' },
	);
}
