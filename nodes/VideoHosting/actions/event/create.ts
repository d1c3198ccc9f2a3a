import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { path, requestJson } from '../../service/request';
import { planIdField, optionsField } from '../fields';
import type { Operation } from '../operation';
import { planIdParameter, requiredTextParameter } from '../parameters';
import { recordOutput } from '../recordOutput';
import { withSent } from '../sent';
import { dateScheduledParameter, dateScheduledField, timezoneOption } from './dateScheduled';

const properties: INodeProperties[] = [
	planIdField,
	{
		displayName: 'Title',
		name: 'title',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Quarterly all-hands',
		description: 'Title that viewers see',
	},
	dateScheduledField,
	optionsField([timezoneOption]),
];

/** See docs/api-reference.md#create-an-event. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Schedule a new live event',
		action: 'Create an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['create'] } }, properties),
	async execute(context, itemIndex) {
		const title = requiredTextParameter(context, itemIndex, 'title', 'Title');
		const scheduled = dateScheduledParameter(context, itemIndex);
		const planId = await planIdParameter(context, itemIndex);

		const answer = await requestJson(context, {
			method: 'POST',
			path: path('events', 'insert'),
			headers: { 'Content-Type': 'application/json' },
			body: { planId, title, dateScheduled: scheduled.dateScheduled },
			itemIndex,
		});
		return withSent(recordOutput(answer, 'event'), scheduled);
	},
};
