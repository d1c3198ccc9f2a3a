import {
	type DateValue,
	TIME_ZONES,
	toDate,
	toDateTimeText,
	toInstant,
	toTimeZone,
	WORKFLOW_TIME_ZONE,
} from '../../parameters/dates';
import { date, parameter } from '../../parameters/parameter';
import { InvalidParameterError } from '../../parameters/values';
import { isRecord } from '../../shared/jsonFields';
import type { Item } from '../item';
import { addHint } from '../hints';

/** A date as the service expects it, and how it was entered. */
interface ScheduledDate {
	/** `YYYY-MM-DD HH:mm:ss` (docs/api-reference.md#event) */
	dateScheduled: string;
	/** Zone of `dateScheduled`. */
	timezone: string;
	/** What a date with a zone of its own says; undefined for any other. */
	entered?: ZonedText;
}

interface ZonedText {
	/** `YYYY-MM-DD HH:mm:ss`, perhaps without seconds. */
	local: string;
	timezone: string;
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
 * @throws NodeOperationError or InvalidParameterError for what is not a date, a date that does not exist, a time that the zone's
 * clock skips, or an unknown zone
 */
export function scheduledDateOf(item: Item): ScheduledDate {
	const timezone = item.read(timezoneOption);
	const { chosen, entered } = item.read(dateScheduledField);
	const dateScheduled = toDateTimeText(dateScheduledField.displayName, chosen, timezone);
	return { dateScheduled, timezone, entered };
}

function toEnteredDate(label: string, value: unknown): { chosen: DateValue; entered?: ZonedText } {
	const chosen = toDate(label, value);
	if (!chosen) throw new InvalidParameterError(`${label} is empty`, 'Enter when the event takes place.');
	return { chosen, entered: chosen.kind === 'instant' ? zonedText(value, chosen.time) : undefined };
}

/** @param value a text with an offset, a DateTime of n8n, or a moment without a zone, which is shown in UTC */
function zonedText(value: unknown, time: number): ZonedText {
	const zoneName = isRecord(value) && typeof value.zoneName === 'string' ? value.zoneName : undefined;
	const hasText = typeof value === 'string' || zoneName !== undefined;
	const iso = hasText ? String(value).trim() : new Date(time).toISOString();
	const [, local = '', offset = ''] = /^(.+?) ?(Z|[+-]\d{2}(?::?\d{2})?)$/i.exec(iso) ?? [];
	const offsetName = /^z$/i.test(offset) ? 'UTC' : `UTC${offset}`;
	return { local: local.replace(/t/i, ' ').slice(0, 19), timezone: zoneName ?? offsetName };
}

/** Shows where a date was converted to another zone, or is in the past: both are easy to overlook. */
export function addDateHints(item: Item, title: string, date: ScheduledDate): void {
	const { dateScheduled, timezone, entered } = date;
	const sent = `${dateScheduled} (${timezone})`;
	if (entered && entered.local.slice(0, 16) !== dateScheduled.slice(0, 16))
		addHint(
			item.context,
			`The date of the event "${title}" was read as ${entered.local} (${entered.timezone}) and sent as ${sent}`,
		);
	const local = Date.parse(`${dateScheduled.replace(' ', 'T')}Z`);
	if (toInstant(local, timezone) < Date.now())
		addHint(item.context, `The event "${title}" was scheduled in the past: ${sent}`, 'warning');
}
