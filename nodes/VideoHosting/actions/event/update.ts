import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../transport/request';
import { eventField, planIdField, optionsField } from '../fields';
import type { Operation } from '../operation';
import { eventHashParameter, requiredTextParameter } from '../parameters';
import { recordOutput } from '../recordOutput';
import { changeEvent, eventIdOption, secretOption } from './eventForChange';

const properties: INodeProperties[] = [
	planIdField,
	eventField,
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Quarterly all-hands, part 2',
		description: 'New title of the event',
	},
	optionsField([eventIdOption, secretOption]),
];

/** See docs/api-reference.md#update-an-event. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Change the title of an event',
		action: 'Update an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['update'] } }, properties),
	async execute(context, itemIndex) {
		const hash = eventHashParameter(context, itemIndex);
		const title = requiredTextParameter(context, itemIndex, 'title', 'Title');
		const { response } = await changeEvent(context, itemIndex, hash, async (secret, eventId) => {
			if (eventId === undefined) {
				throw new NodeOperationError(
					context.getNode(),
					`The record of the event "${hash}" contains no numeric ID`,
					{
						itemIndex,
						description: 'Enter it in the option Event ID.',
					},
				);
			}
			return await requestJson(context, {
				method: 'PUT',
				path: path('events', 'update'),
				headers: { 'Content-Type': 'application/json' },
				body: { title, eventId, secret, hash },
				itemIndex,
			});
		});
		return recordOutput(response, 'event');
	},
};
