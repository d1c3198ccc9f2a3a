import { requiredText } from '../../parameters/parameter';
import { UploadMemory } from '../../upload/memory';
import { changedRecord } from '../../service/record';
import { toVideo } from '../../service/video';
import { chosenVideo, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

const nameField = requiredText({
	displayName: 'New Name',
	name: 'name',
	placeholder: 'e.g. Interview, final cut',
	description: 'New name of the video',
});

/** See docs/api-reference.md#rename-a-video. */
export const update: Operation = {
	name: 'Update',
	description: 'Rename a video',
	action: 'Update video',
	parameters: [videoField, nameField, planIdOption],
	async execute(item) {
		const name = item.read(nameField);
		const video = await chosenVideo(item);
		const response = await item.request('PUT', ['videos', 'editVideo', video.hash, video.planId], { name });
		(await UploadMemory.of(item.context)).noteChange(video, { title: name });
		return changedRecord(response, 'video', toVideo);
	},
};
