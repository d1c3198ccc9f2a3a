import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { readParameter } from '../../parameters/readParameter';
import { InvalidParameterError, quoted, toTexts } from '../../parameters/values';
import { path, requestJson } from '../../transport/request';
import { eventIdField, planIdField } from '../fields';
import type { Operation } from '../operation';
import { ownPlanIdParameter } from '../parameters';

const properties: INodeProperties[] = [planIdField, eventIdField];

/** See docs/api-reference.md#delete-events. */
export const deleteEvent: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		description: 'Delete one or more events permanently',
		action: 'Delete an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['delete'] } }, properties),
	async execute(context, itemIndex) {
		const eventIds = eventIdsOfParameter(context, itemIndex);
		// The plan is for the picker; the request does not contain it.
		ownPlanIdParameter(context, itemIndex);
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

/** One number, several in a list, or several separated by commas; the value of a picked event is its number as well. */
function eventIdsOfParameter(context: IExecuteFunctions, itemIndex: number): number[] {
	return readParameter(context, itemIndex, 'event', (value) => {
		const ids = typeof value === 'string' && value.includes(',') ? value.split(',') : toTexts('Event', value);
		if (ids.length === 0)
			throw new InvalidParameterError('Event is empty: choose one from the list or enter its ID');
		if (ids.every((id) => /^[1-9]\d*$/.test(id.trim()) && Number.isSafeInteger(Number(id)))) {
			return [...new Set(ids.map(Number))];
		}
		throw new InvalidParameterError(
			`Event ${quoted(value)} is not a list of event IDs: enter whole numbers separated by commas, such as 12, 15`,
		);
	});
}
