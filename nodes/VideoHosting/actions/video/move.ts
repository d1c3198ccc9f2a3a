import { resolveFolder } from '../../service/folders';
import { changedRecord } from '../../service/record';
import { toVideo } from '../../service/video';
import { UploadMemory } from '../../upload/memory';
import { chosenVideo, createFolderOption, folderField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#move-a-video. The request does not contain the plan. */
export const move: Operation = {
	name: 'Move',
	description: 'Move a video to a folder',
	action: 'Move video',
	parameters: [videoField, folderField, createFolderOption, planIdOption],
	async execute(item) {
		const { context } = item;
		const chosen = item.read(folderField);
		const createIfMissing = item.read(createFolderOption);
		const video = await chosenVideo(item);
		const folder = await resolveFolder(context, chosen, createIfMissing);
		const response = await item.request('PUT', ['videos', 'moveVideo', video.hash], { folder_uuid: folder });
		(await UploadMemory.of(context)).noteChange(video, { folder });
		return changedRecord(response, 'video', toVideo);
	},
};
