import { OR_CREATE_FOLDER, resolveFolder, resolveOrCreateFolder } from '../../service/folders';
import { resolveVideo } from '../../service/videos';
import { recordIn } from '../../transport/response';
import { UploadMemory } from '../../upload/memory';
import { createFolderOption, folderField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#move-a-video. The plan is needed to find a video by its name; the request does not contain it. */
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
		const { hash } = await resolveVideo(context, video, ownPlanId);
		const folder = createIfMissing
			? await resolveOrCreateFolder(context, chosen)
			: await resolveFolder(context, chosen, OR_CREATE_FOLDER);
		const response = await item.request('PUT', ['videos', 'moveVideo', hash], { folder_uuid: folder });
		const record = (await UploadMemory.of(context)).ofVideo(hash);
		if (record?.video) {
			// Skip If Exists then finds the video in its new folder.
			record.file.folder = folder;
			record.video = { ...record.video, folder: { uuid: folder } };
		}
		return recordIn(response, 'video');
	},
};
