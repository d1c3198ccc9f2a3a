import { optIn, requiredText } from '../../parameters/parameter';
import { createEvent } from '../../service/createEvent';
import { toEvent } from '../../service/event';
import { recordIn } from '../../transport/response';
import { planIdOf, planIdOption } from '../fields';
import type { Operation } from '../operation';
import { jsonObject } from '../jsonObject';
import { addDateHints, dateScheduledField, scheduledDateOf, timezoneOption } from './scheduledDate';

const titleField = requiredText({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
});

const skipIfExistsOption = optIn({
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	collection: 'options',
	description:
		'Whether to return the existing event with skipped: true when the plan already has an event with this title and date',
});

/** See docs/api-reference.md#create-an-event. */
export const create: Operation = {
	name: 'Create',
	description: 'Schedule a new live event',
	action: 'Create event',
	parameters: [titleField, dateScheduledField, planIdOption, skipIfExistsOption, timezoneOption],
	async execute(item) {
		const title = item.read(titleField);
		const date = scheduledDateOf(item);
		const skips = item.read(skipIfExistsOption);
		const planId = await planIdOf(item);
		const { dateScheduled, timezone } = date;
		const insert = async () => {
			const response = await item.request('POST', ['events', 'insert'], { planId, title, dateScheduled });
			return toEvent(jsonObject(recordIn(response, 'event')));
		};
		const wanted = { planId, title, dateScheduled, timezone };
		const { item: event, isNew } = await createEvent(item.context, wanted, insert, skips);
		if (!isNew) return { ...event.record, skipped: true };
		addDateHints(item, title, date);
		return { ...event.record, sent: { dateScheduled, timezone }, ...(skips ? { skipped: false } : {}) };
	},
};
