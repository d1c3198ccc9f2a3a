import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toRecordReference } from '../../parameters/identifiers';
import { toRequiredText } from '../../parameters/values';
import { noteEventChange } from '../../service/recordDirectory';
import { path, requestJson } from '../../transport/request';
import { eventField, planIdOption, optionsField } from '../fields';
import type { Operation } from '../operation';
import { recordOutput } from '../recordOutput';
import { changeEvent, eventIdOption, secretOption } from './eventForChange';

const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Quarterly all-hands, part 2',
	description: 'New title of the event',
};

const properties: INodeProperties[] = [
	eventField,
	titleField,
	optionsField(eventIdOption, planIdOption, secretOption),
];

/** See docs/api-reference.md#update-an-event. */
export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		description: 'Change the title of an event',
		action: 'Rename event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['update'] } }, properties),
	async execute(item) {
		const { context, itemIndex } = item;
		const chosen = item.read(eventField, toRecordReference);
		const title = item.read(titleField, toRequiredText);
		const { hash, response } = await changeEvent(item, chosen, async (event) => {
			if (event.eventId === undefined) {
				throw new NodeOperationError(
					context.getNode(),
					`The record of the event "${event.hash}" contains no numeric ID`,
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
				body: { title, eventId: event.eventId, secret: event.secret, hash: event.hash },
				itemIndex,
			});
		});
		noteEventChange(context, hash, title);
		return recordOutput(response, 'event');
	},
};
