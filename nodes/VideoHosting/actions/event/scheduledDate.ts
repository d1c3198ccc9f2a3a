import {
	TIME_ZONES,
	toDate,
	toDateTimeText,
	toTimeZone,
	WORKFLOW_TIME_ZONE,
	type DateValue,
} from '../../parameters/dates';
import { date, parameter } from '../../parameters/parameter';
import { emptyError } from '../../parameters/values';
import { serviceTime } from '../../service/record';
import type { Item } from '../item';
import { addHint } from '../hints';

/** A date as the service expects it, and how it was entered. */
interface ScheduledDate {
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`. */
	timezone: string;
	entered: DateValue;
}

export const dateScheduledField = date(toRequiredDate, {
	displayName: 'Scheduled Date',
	name: 'dateScheduled',
	required: true,
	placeholder: 'e.g. 2026-12-24 18:00:00',
	hint: 'Interpreted in the time zone of the workflow settings; add the option Time Zone to use another one',
	description:
		"When the event takes place. In an expression, set the zone before the time: <code>$now.setZone('Europe/Berlin').plus({ days: 1 }).set({ hour: 18, minute: 0, second: 0 })</code>. A date with an offset, such as 2026-12-24T18:00:00Z, an n8n date or a number of milliseconds since 1970 is converted to the time zone that is sent.",
});

export const timezoneOption = parameter(toTimeZone, {
	displayName: 'Time Zone',
	name: 'timezone',
	collection: 'options',
	type: 'options',
	options: TIME_ZONES,
	default: WORKFLOW_TIME_ZONE,
	description:
		'Time zone in which Scheduled Date is interpreted and sent to the service. The output names it under sent.',
});

/**
 * The date of an event, written in the zone of `options.timezone`, by default the workflow's. Of a time that the zone's clock
 * shows twice, the service receives only that time: which of the two moments it means is its own decision.
 *
 * @throws InvalidParameterError for what is not a date, a date that does not exist, a time that the zone's clock skips, or an
 * unknown zone
 */
export function scheduledDateOf(item: Item): ScheduledDate {
	const timezone = item.read(timezoneOption);
	const entered = item.read(dateScheduledField);
	const dateScheduled = toDateTimeText(dateScheduledField.displayName, entered, timezone);
	return { dateScheduled, timezone, entered };
}

function toRequiredDate(label: string, value: unknown): DateValue {
	const date = toDate(label, value);
	if (date) return date;
	throw emptyError(label, 'Enter when the event takes place.');
}

/** Shows where a date was converted to another zone, or is in the past: both are easy to overlook. */
export function addDateHints(
	item: Item,
	title: string,
	{ dateScheduled, timezone, entered }: ScheduledDate,
): void {
	const sent = `${dateScheduled} (${timezone})`;
	const { iso, hasOffset } = entered;
	if (hasOffset && iso.replace('T', ' ').slice(0, 16) !== dateScheduled.slice(0, 16))
		addHint(item.context, `The date ${iso} of the event "${title}" was sent as ${sent}`);
	if ((serviceTime(dateScheduled, timezone) ?? Infinity) < Date.now())
		addHint(item.context, `The event "${title}" was scheduled in the past: ${sent}`, 'warning');
}
