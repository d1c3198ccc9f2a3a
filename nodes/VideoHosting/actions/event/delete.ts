import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../service/request';
import { eventIdField, planIdField } from '../fields';
import type { Operation } from '../operation';
import { invalidParameter, textParameter } from '../parameters';

const properties: INodeProperties[] = [planIdField, eventIdField];

/** See docs/api-reference.md#delete-events. */
export const deleteEvent: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete one or several events for good',
		action: 'Delete an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['delete'] } }, properties),
	async execute(context, itemIndex) {
		const eventIds = eventIdsOfParameter(context, itemIndex);
		await requestJson(context, {
			method: 'DELETE',
			path: path('events', 'delete'),
			headers: { 'Content-Type': 'application/json;charset=UTF-8' },
			body: { eventIds },
			itemIndex,
		});
		return { deleted: true, eventIds };
	},
};

/** One number, or several separated by commas; a picked event's value is its number, too. */
function eventIdsOfParameter(context: IExecuteFunctions, itemIndex: number): number[] {
	const text = textParameter(context, 'event', itemIndex);
	if (text === '')
		throw invalidParameter(context, itemIndex, 'Event is empty: choose one from the list or enter its ID');
	const ids = text.split(',').map((part) => part.trim());
	const wrong = ids.find((id) => !/^[1-9]\d*$/.test(id) || !Number.isSafeInteger(Number(id)));
	if (wrong !== undefined) {
		throw invalidParameter(
			context,
			itemIndex,
			`Event "${text}" is not a list of event IDs: enter whole numbers separated by commas, such as 12, 15`,
		);
	}
	return [...new Set(ids.map(Number))];
}
