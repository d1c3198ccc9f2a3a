import { updateDisplayOptions } from 'n8n-workflow';

import { path, requestJson } from '../../transport/request';
import { planIdField, videoField } from '../fields';
import type { Operation } from '../operation';
import { planIdParameter, videoHashParameter } from '../parameters';

/** See docs/api-reference.md#delete-a-video. */
export const deleteVideo: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete a video permanently',
		action: 'Delete a video',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['delete'] } }, [
		planIdField,
		videoField,
	]),
	async execute(context, itemIndex) {
		const hash = videoHashParameter(context, itemIndex);
		const planId = await planIdParameter(context, itemIndex);
		await requestJson(context, {
			method: 'DELETE',
			path: path('videos', 'deleteVideo', hash, planId),
			headers: { 'Content-Type': 'application/json' },
			itemIndex,
		});
		return { deleted: true, hash };
	},
};
