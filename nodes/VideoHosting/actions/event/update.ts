import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { noteEventChange, resolveEvent } from '../../service/recordByName';
import { path, requestJson } from '../../transport/request';
import { eventField, planIdOption, optionsField } from '../fields';
import type { Operation } from '../operation';
import { eventParameter, ownPlanIdParameter, requiredTextParameter } from '../parameters';
import { recordOutput } from '../recordOutput';
import { changeEvent, eventIdOption, secretOption } from './eventForChange';

const properties: INodeProperties[] = [
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
	optionsField(eventIdOption, planIdOption, secretOption),
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
		const chosen = eventParameter(context, itemIndex);
		const title = requiredTextParameter(context, itemIndex, 'title', 'Title');
		const hash = await resolveEvent(context, chosen, ownPlanIdParameter(context, itemIndex), itemIndex);
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
		noteEventChange(context, hash, title);
		return recordOutput(response, 'event');
	},
};
