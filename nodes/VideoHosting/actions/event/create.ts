import type { IExecuteFunctions } from 'n8n-workflow';

import { toDate, toDateTimeText, toTimeZone } from '../../parameters/dates';
import { date, flag, parameter, requiredText } from '../../parameters/parameter';
import { TIME_ZONES, toInstant, WORKFLOW_TIME_ZONE } from '../../parameters/timeZones';
import { InvalidParameterError } from '../../parameters/values';
import { createEvent, findOrCreateEvent, type ScheduledEvent } from '../../service/eventLookup';
import { planIdOf, planIdOption } from '../fields';
import { addHint } from '../hints';
import { Item } from '../item';
import type { Operation } from '../operation';
import { jsonObject, recordOutput } from '../recordOutput';

const titleField = requiredText({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
});

const dateScheduledField = date(toDate, {
	displayName: 'Scheduled Date',
	name: 'dateScheduled',
	required: true,
	placeholder: 'e.g. 2026-12-24 18:00',
	hint: 'Interpreted in the time zone of the workflow settings; add the option Time Zone to use another one',
	description:
		'When the event takes place. A date with an offset, such as 2026-12-24T18:00:00Z, an n8n date or a number of milliseconds since 1970 is converted to that time zone.',
});

const timezoneOption = parameter(toTimeZone, {
	displayName: 'Time Zone',
	name: 'timezone',
	collection: 'options',
	type: 'options',
	options: TIME_ZONES,
	default: WORKFLOW_TIME_ZONE,
	description:
		'Time zone in which Scheduled Date is interpreted and sent to the service. The output names it under sent.',
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
	name: 'Create',
	description: 'Schedule a new live event',
	action: 'Create event',
	parameters: [titleField, dateScheduledField, planIdOption, skipIfExistsOption, timezoneOption],
	async execute(item) {
		const { context } = item;
		const title = item.read(titleField);
		const sent = dateScheduledOf(item);
		const skips = item.read(skipIfExistsOption);
		const planId = await planIdOf(item);
		const { dateScheduled } = sent;
		const wanted = { planId, title, ...sent };
		const request = { isSent: false };
		const insert = async () => {
			request.isSent = true;
			const response = await item.request('POST', ['events', 'insert'], { planId, title, dateScheduled });
			return jsonObject(recordOutput(response, 'event'));
		};
		const event = skips
			? await findOrCreateEvent(context, wanted, () => datesOfItems(context), insert)
			: await createEvent(context, wanted, insert);
		if (!request.isSent) return { ...event, skipped: true };
		hintIfPast(context, wanted);
		return { ...event, sent, ...(skips ? { skipped: false } : {}) };
	},
};

/**
 * The parameter `dateScheduled` as the service expects it (`YYYY-MM-DD HH:mm:ss`, docs/api-reference.md#event), written in
 * the zone of `options.timezone`, by default the workflow's. Of a time that the zone's clock shows twice, the service
 * receives only that time: which of the two moments it means is its own decision.
 *
 * @throws NodeOperationError for what is not a date, a date that does not exist, a time that the zone's clock skips, or an
 * unknown zone
 */
function dateScheduledOf(item: Item): Pick<ScheduledEvent, 'dateScheduled' | 'timezone'> {
	const timezone = item.read(timezoneOption);
	const convert = (label: string, value: unknown) => {
		const chosen = toDate(label, value);
		if (!chosen) throw new InvalidParameterError(`${label} is empty`, 'Enter when the event takes place.');
		return { dateScheduled: toDateTimeText(label, chosen, timezone), timezone };
	};
	return item.read({ ...dateScheduledField, convert });
}

/** A date with a wrong year or zone is easy to overlook. */
function hintIfPast(context: IExecuteFunctions, { title, dateScheduled, timezone }: ScheduledEvent): void {
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
