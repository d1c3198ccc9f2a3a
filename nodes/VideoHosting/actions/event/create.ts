import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { singleIn } from '../../service/records';
import { path, request } from '../../service/request';
import { withoutSecrets } from '../../service/secrets';
import { planIdField, optionsField } from '../fields';
import type { Operation } from '../operation';
import { planIdOf, requiredText } from '../parameters';
import { withSent } from '../sent';
import { dateScheduledOfParameter, dateScheduledField, timezoneOption } from './dateScheduled';

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

/** Reference 2. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Schedule a new live event',
		action: 'Create an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['create'] } }, properties),
	async execute(context, itemIndex) {
		const title = requiredText(context, itemIndex, 'title', 'Title');
		const scheduled = dateScheduledOfParameter(context, itemIndex);
		const planId = await planIdOf(context, itemIndex);

		const answer = await request(context, {
			method: 'POST',
			path: path('events', 'insert'),
			headers: { 'Content-Type': 'application/json' },
			body: { planId, title, dateScheduled: scheduled.dateScheduled },
			itemIndex,
		});
		return withSent(withoutSecrets(singleIn(answer, 'event')), scheduled);
	},
};
