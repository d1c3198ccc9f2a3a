import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { toNodeError } from '../../transport/errors';
import { findScheduledEvent, forgetListedEvents, rememberEvent } from '../../service/eventLookup';
import { isRecord } from '../../shared/jsonFields';
import { path, requestJson } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { planIdField, optionsField } from '../fields';
import type { Operation } from '../operation';
import { booleanParameter, planIdParameter, requiredTextParameter } from '../parameters';
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
	optionsField([
		{
			displayName: 'Skip If Exists',
			name: 'skipIfExists',
			type: 'boolean',
			default: false,
			description:
				'Whether to return the existing event with skipped: true when the plan already has an event with this title and date',
		},
		timezoneOption,
	]),
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
		const skips = booleanParameter(context, itemIndex, 'options.skipIfExists', 'Skip If Exists');
		const planId = await planIdParameter(context, itemIndex);
		const wanted = { planId, title, ...scheduled };
		if (skips) {
			const existing = await findScheduledEvent(context, wanted, () => datesOfItems(context), itemIndex);
			if (existing) return { ...withoutSecrets(existing), skipped: true };
		}
		try {
			const response = await requestJson(context, {
				method: 'POST',
				path: path('events', 'insert'),
				headers: { 'Content-Type': 'application/json' },
				body: { planId, title, dateScheduled: scheduled.dateScheduled },
				itemIndex,
			});
			const event = recordOutput(response, 'event');
			const output = withSent(event, scheduled);
			if (!skips) return output;
			rememberEvent(context, wanted, isRecord(event) ? event : {});
			return { ...output, skipped: false };
		} catch (error) {
			forgetListedEvents(context, planId);
			throw toNodeError(context, error);
		}
	},
};

/** The dates of all items of this run, so that one reading of the list serves all; an item without a date fails by itself. */
function datesOfItems(context: IExecuteFunctions): string[] {
	return context.getInputData().flatMap((_item, itemIndex) => {
		try {
			return [dateScheduledParameter(context, itemIndex).dateScheduled];
		} catch {
			return [];
		}
	});
}
