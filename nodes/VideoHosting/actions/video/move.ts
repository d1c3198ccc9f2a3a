import { updateDisplayOptions } from 'n8n-workflow';

import { resolveFolder } from '../../service/folderLookup';
import { path, requestJson } from '../../service/request';
import { createFolderOption, folderField, optionsField, planIdField, videoField } from '../fields';
import type { Operation } from '../operation';
import { booleanParameter, folderParameter, ownPlanIdParameter, videoHashParameter } from '../parameters';
import { recordOutput } from '../recordOutput';

/**
 * See docs/api-reference.md#move-a-video. The plan is for the picker; the request does not
 * contain it.
 */
export const move: Operation = {
	option: {
		name: 'Move',
		value: 'move',
		description: 'Move a video to a folder',
		action: 'Move a video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['move'] } }, [
		planIdField,
		videoField,
		{
			...folderField,
			description:
				'Folder (gallery) to move the video to, from the list or by its UUID or exact name. Create and Get Many return the UUID.',
		},
		optionsField([createFolderOption]),
	]),
	async execute(context, itemIndex) {
		const hash = videoHashParameter(context, itemIndex);
		const chosen = folderParameter(context, itemIndex);
		const { name, displayName } = createFolderOption;
		const createIfMissing = booleanParameter(context, itemIndex, `options.${name}`, displayName);
		ownPlanIdParameter(context, itemIndex);
		const folder = await resolveFolder(context, chosen, { itemIndex, createIfMissing });
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
