import { toDate, toDateTimeText, toTimeZone, type DateValue } from '../../parameters/dates';
import { date, parameter } from '../../parameters/parameter';
import { TIME_ZONES, toInstant, WORKFLOW_TIME_ZONE } from '../../parameters/timeZones';
import { InvalidParameterError } from '../../parameters/values';
import { isRecord } from '../../shared/jsonFields';
import type { Item } from '../item';
import { addHint } from '../retryMemory';

/** A date as the service expects it, and how it was entered. */
export interface ScheduledDate {
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`. */
	timezone: string;
	/** What was entered, with its own zone; undefined when it had none. */
	entered?: string;
}

export const dateScheduledField = date(toEnteredDate, {
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
 * @throws NodeOperationError for what is not a date, a date that does not exist, a time that the zone's clock skips, or an
 * unknown zone
 */
export function scheduledDateOf(item: Item): ScheduledDate {
	const timezone = item.read(timezoneOption);
	return item.read({
		...dateScheduledField,
		convert: (label, value) => {
			const { chosen, entered } = toEnteredDate(label, value);
			return { dateScheduled: toDateTimeText(label, chosen, timezone), timezone, entered };
		},
	});
}

function toEnteredDate(label: string, value: unknown): { chosen: DateValue; entered?: string } {
	const chosen = toDate(label, value);
	if (!chosen) throw new InvalidParameterError(`${label} is empty`, 'Enter when the event takes place.');
	return { chosen, entered: chosen.kind === 'instant' ? withZone(value, chosen.time) : undefined };
}

/** A moment as it was entered, with its zone: `2026-12-24T18:00:00.000+01:00 (Europe/Berlin)`. */
function withZone(value: unknown, time: number): string {
	if (typeof value === 'string') return value.trim();
	// Luxon's DateTime, which n8n's expressions return.
	if (isRecord(value) && typeof value.zoneName === 'string') return `${String(value)} (${value.zoneName})`;
	return new Date(time).toISOString();
}

/** A date with a wrong year or zone is easy to overlook. */
export function addDateHints(
	item: Item,
	title: string,
	{ dateScheduled, timezone, entered }: ScheduledDate,
): void {
	const { context } = item;
	const local = Date.parse(`${dateScheduled.replace(' ', 'T')}Z`);
	if (entered !== undefined && !entered.replace('T', ' ').startsWith(dateScheduled.slice(0, 16)))
		addHint(
			context,
			`The date of the event "${title}" has a time zone of its own: ${entered} was sent as ${dateScheduled} (${timezone})`,
		);
	if (toInstant(local, timezone) < Date.now())
		addHint(
			context,
			`The event "${title}" was scheduled in the past: ${dateScheduled} (${timezone})`,
			'warning',
		);
}
