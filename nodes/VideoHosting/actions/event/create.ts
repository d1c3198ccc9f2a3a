import type { IExecuteFunctions } from 'n8n-workflow';

import { flag, requiredText } from '../../parameters/parameter';
import { toInstant } from '../../parameters/timeZones';
import { findScheduledEvent, forgetListedEvents, rememberEvent } from '../../service/eventLookup';
import { isRecord } from '../../shared/jsonFields';
import { toNodeError } from '../../transport/errors';
import { path } from '../../transport/request';
import { withoutSecrets } from '../../transport/secrets';
import { planIdOf, planIdOption } from '../fields';
import { addHint } from '../hints';
import { Item } from '../item';
import type { Operation } from '../operation';
import { recordOutput, withSent } from '../recordOutput';
import { dateScheduledField, dateScheduledOf, timezoneOption } from './dateScheduled';

const titleField = requiredText({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
});

const skipIfExistsOption = flag({
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	collection: 'options',
	description:
		'Whether to return the existing event with skipped: true when the plan already has an event with this title and date',
});

/** See docs/api-reference.md#create-an-event. */
export const create: Operation = {
	option: {
		name: 'Create',
		value: 'create',
		description: 'Schedule a new live event',
		action: 'Create event',
	},
	parameters: [titleField, dateScheduledField, planIdOption, skipIfExistsOption, timezoneOption],
	async execute(item) {
		const { context, itemIndex } = item;
		const title = item.read(titleField);
		const scheduled = dateScheduledOf(item);
		const skips = item.read(skipIfExistsOption);
		const planId = await planIdOf(item);
		const wanted = { planId, title, ...scheduled };
		if (skips) {
			const existing = await findScheduledEvent(context, wanted, () => datesOfItems(context), itemIndex);
			if (existing) return { ...withoutSecrets(existing), skipped: true };
		}
		try {
			const response = await item.request('POST', path('events', 'insert'), {
				planId,
				title,
				dateScheduled: scheduled.dateScheduled,
			});
			const event = recordOutput(response, 'event');
			hintIfPast(context, title, scheduled);
			const output = withSent(event, scheduled);
			if (!skips) return output;
			rememberEvent(context, wanted, isRecord(event) ? event : {});
			return { ...output, skipped: false };
		} catch (error) {
			forgetListedEvents(context, planId);
			// The next try looks for it.
			if (skips) item.isDoneOrUnknown = false;
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
			return [dateScheduledOf(new Item(context, itemIndex)).dateScheduled];
		} catch {
			return [];
		}
	});
}
