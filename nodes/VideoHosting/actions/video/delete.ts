import { updateDisplayOptions } from 'n8n-workflow';

import { path, requestJson } from '../../transport/request';
import { optionsField, planIdOption, videoField } from '../fields';
import type { Operation } from '../operation';
import { chosenVideo } from './chosenVideo';

/** See docs/api-reference.md#delete-a-video. */
export const deleteVideo: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a video permanently',
		action: 'Delete video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['delete'] } }, [
		videoField,
		optionsField(planIdOption),
	]),
	async execute(item) {
		const { context, itemIndex } = item;
		const { planId, hash, name } = await chosenVideo(item);
		await requestJson(context, {
			method: 'DELETE',
			path: path('videos', 'deleteVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			itemIndex,
		});
		return { deleted: true, hash, ...(name === undefined ? {} : { name }) };
	},
};
