import { updateDisplayOptions, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { toNodeError } from '../../transport/errors';
import { findScheduledEvent, forgetListedEvents, rememberEvent } from '../../service/eventLookup';
import { toInstant } from '../../parameters/timeZones';
import { toFlag, toRequiredText } from '../../parameters/values';
import { isRecord } from '../../shared/jsonFields';
import { path, requestJson } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { planIdOption, optionsField } from '../fields';
import { addHint } from '../hints';
import type { Operation } from '../operation';
import { ItemParameters, planIdOf } from '../parameters';
import { recordOutput } from '../recordOutput';
import { withSent } from '../sent';
import { dateScheduledOf, dateScheduledField, timezoneOption } from './dateScheduled';

const titleField: INodeProperties = {
	displayName: 'Title',
	name: 'title',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
};

const skipIfExistsOption: INodeProperties = {
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	type: 'boolean',
	default: false,
	description:
		'Whether to return the existing event with skipped: true when the plan already has an event with this title and date',
};

const properties: INodeProperties[] = [
	titleField,
	dateScheduledField,
	optionsField(planIdOption, skipIfExistsOption, timezoneOption),
];

/** See docs/api-reference.md#create-an-event. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Schedule a new live event',
		action: 'Create event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['create'] } }, properties),
	async execute(item) {
		const { context, itemIndex } = item;
		const title = item.read(titleField, toRequiredText);
		const scheduled = dateScheduledOf(item);
		const skips = item.option(skipIfExistsOption, toFlag);
		const planId = await planIdOf(item);
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
			hintIfPast(context, title, scheduled);
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

/** A date with a wrong year or zone is easy to overlook. */
function hintIfPast(
	context: IExecuteFunctions,
	title: string,
	{ dateScheduled, timezone }: ReturnType<typeof dateScheduledOf>,
): void {
	const local = Date.parse(`${dateScheduled.replace(' ', 'T')}Z`);
	if (toInstant(local, timezone) >= Date.now()) return;
	addHint(
		context,
		`The event "${title}" was scheduled in the past: ${dateScheduled} (${timezone})`,
		'warning',
	);
}

/** The dates of all items of this run, so that one reading of the list serves all; an item without a date fails by itself. */
function datesOfItems(context: IExecuteFunctions): string[] {
	return context.getInputData().flatMap((_item, itemIndex) => {
		try {
			return [dateScheduledOf(new ItemParameters(context, itemIndex)).dateScheduled];
		} catch {
			return [];
		}
	});
}
