import { timezoneOption, toDate, toDateTimeText, type DateValue } from '../../parameters/dates';
import { date, optIn, requiredText } from '../../parameters/parameter';
import { emptyError } from '../../parameters/values';
import { toEvent } from '../../service/event';
import { createEvent } from '../../service/events';
import { serviceTime } from '../../service/record';
import { recordIn } from '../../transport/response';
import { planIdOf, planIdOption } from '../fields';
import { addHint, jsonObject, type Operation } from '../operation';

const titleField = requiredText({
	displayName: 'Title',
	name: 'title',
	placeholder: 'e.g. Quarterly all-hands',
	description: 'Title that viewers see',
});

const dateScheduledField = date(toRequiredDate, {
	displayName: 'Scheduled Date',
	name: 'dateScheduled',
	required: true,
	placeholder: 'e.g. 2026-12-24 18:00:00',
	hint: 'Interpreted in the time zone of the workflow settings; add the option Time Zone to use another one',
	description:
		"When the event takes place. In an expression, set the zone before the time: <code>$now.setZone('Europe/Berlin').plus({ days: 1 }).set({ hour: 18, minute: 0, second: 0 })</code>. A date with an offset, such as 2026-12-24T18:00:00Z, an n8n date or a number of milliseconds since 1970 is converted to the time zone that is sent.",
});

const zoneOption = {
	...timezoneOption,
	description:
		'Time zone in which Scheduled Date is interpreted and sent to the service. The output names it under sent.',
};

const skipIfExistsOption = optIn({
	displayName: 'Skip If Exists',
	name: 'skipIfExists',
	collection: 'options',
	description:
		'Whether to return the existing event with skipped: true when the plan already has an event with this title and date',
});

/**
 * See docs/api-reference.md#create-an-event. The service stores a date without a zone. If the zone's clock shows a time twice, the
 * service decides which moment it is.
 */
export const create: Operation = {
	name: 'Create',
	description: 'Schedule a new live event',
	action: 'Create event',
	parameters: [titleField, dateScheduledField, planIdOption, skipIfExistsOption, zoneOption],
	async execute(item) {
		const title = item.read(titleField);
		const timezone = item.read(zoneOption);
		const { displayName } = dateScheduledField;
		const dateScheduled = toDateTimeText(displayName, item.read(dateScheduledField), timezone);
		const skips = item.read(skipIfExistsOption);
		const planId = await planIdOf(item);
		const insert = async () => {
			const response = await item.request('POST', ['events', 'insert'], { planId, title, dateScheduled });
			return toEvent(jsonObject(recordIn(response, 'event')));
		};
		const wanted = { planId, title, dateScheduled, timezone };
		const { item: event, isNew } = await createEvent(item.context, wanted, insert, skips);
		if (!isNew) return { ...event.record, skipped: true };
		if ((serviceTime(dateScheduled, timezone) ?? Infinity) < Date.now()) {
			const hint = `The event "${title}" was scheduled in the past: ${dateScheduled} (${timezone})`;
			addHint(item.context, hint, 'warning');
		}
		return { ...event.record, sent: { dateScheduled, timezone }, ...(skips ? { skipped: false } : {}) };
	},
};

function toRequiredDate(label: string, value: unknown): DateValue {
	const date = toDate(label, value);
	if (date) return date;
	throw emptyError(label, 'Enter when the event takes place.');
}
