import { toDate, toDateTimeText, toTimeZone } from '../../parameters/dates';
import { date, parameter } from '../../parameters/parameter';
import { TIME_ZONES, WORKFLOW_TIME_ZONE } from '../../parameters/timeZones';
import { InvalidParameterError } from '../../parameters/values';
import type { Item } from '../item';

export const dateScheduledField = date(toDate, {
	displayName: 'Scheduled Date',
	name: 'dateScheduled',
	required: true,
	placeholder: 'e.g. 2026-12-24 18:00',
	hint: 'Interpreted in the time zone of the workflow settings; add the option Time Zone to use another one',
	description:
		'When the event takes place. A date with an offset, such as 2026-12-24T18:00:00Z, an n8n date or a number of milliseconds since 1970 is converted to that time zone.',
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
 * The parameter `dateScheduled` as the service expects it (`YYYY-MM-DD HH:mm:ss`, docs/api-reference.md#event), written in
 * the zone of `options.timezone`, by default the workflow's. Of a time that the zone's clock shows twice, the service
 * receives only that time: which of the two moments it means is its own decision.
 *
 * @throws NodeOperationError for what is not a date, a date that does not exist, a time that the zone's clock skips, or an
 * unknown zone
 */
export function dateScheduledOf(item: Item): {
	dateScheduled: string;
	timezone: string;
} {
	const timezone = item.read(timezoneOption);
	return item.readAs(dateScheduledField, (label, value) => {
		const date = toDate(label, value);
		if (!date) throw new InvalidParameterError(`${label} is empty`, 'Enter when the event takes place.');
		return { dateScheduled: toDateTimeText(label, date, timezone), timezone };
	});
}
