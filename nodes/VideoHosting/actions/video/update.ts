import { requiredText } from '../../parameters/parameter';
import { path } from '../../transport/request';
import { planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';
import { chosenVideo } from './chosenVideo';

const nameField = requiredText({
	displayName: 'Name',
	name: 'name',
	placeholder: 'e.g. Interview, final cut',
	description: 'New name of the video',
});

/** See docs/api-reference.md#rename-a-video. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Rename a video',
		action: 'Rename video',
	},
	parameters: [videoField, nameField, planIdOption],
	async execute(item) {
		const name = item.read(nameField);
		const { planId, hash } = await chosenVideo(item);
		const response = await item.request('PUT', path('videos', 'editVideo', hash, planId), { name });
		return recordOutput(response, 'video');
	},
};
