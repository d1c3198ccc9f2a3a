import { requiredText } from '../../parameters/parameter';
import { withName } from '../../service/video';
import { UploadMemory } from '../../upload/memory';
import { recordIn } from '../../transport/response';
import { chosenVideo, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';

const nameField = requiredText({
	displayName: 'Name',
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
		const { planId, hash } = await chosenVideo(item);
		const response = await item.request('PUT', ['videos', 'editVideo', hash, planId], { name });
		const record = (await UploadMemory.of(item.context)).ofVideo(hash);
		// Skip If Exists then finds the video by its new name.
		if (record?.video) Object.assign(record, { title: name, video: withName(record.video, name) });
		return recordIn(response, 'video');
	},
};
