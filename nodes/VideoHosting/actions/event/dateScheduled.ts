import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { toDate, toDateTimeText, toTimeZone } from '../../parameters/dates';
import { readParameter } from '../../parameters/readParameter';
import { WORKFLOW_TIME_ZONE } from '../../parameters/timeZones';
import { InvalidParameterError } from '../../parameters/values';
import { textParameter } from '../parameters';

const LABEL = 'Scheduled Date';
const TIMEZONE = 'Time Zone';

export const dateScheduledField: INodeProperties = {
	displayName: LABEL,
	name: 'dateScheduled',
	type: 'dateTime',
	required: true,
	default: '',
	placeholder: 'e.g. 2026-12-24 18:00',
	hint: `Interpreted in the time zone of the workflow settings; add the option ${TIMEZONE} to use another one`,
	description:
		'When the event takes place. A date with an offset, such as 2026-12-24T18:00:00Z, an n8n date or a number of milliseconds since 1970 is converted to that time zone.',
};

export const timezoneOption: INodeProperties = {
	displayName: TIMEZONE,
	name: 'timezone',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getTimezones' },
	default: WORKFLOW_TIME_ZONE,
	description:
		'Time zone in which Scheduled Date is interpreted and sent to the service. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/**
 * The parameter `dateScheduled` as the service expects it (`YYYY-MM-DD HH:mm:ss`, docs/api-reference.md#event), written in
 * the zone of `options.timezone`, by default the workflow's. Of a time that the zone's clock shows twice, the service
 * receives only that time: which of the two moments it means is its own decision.
 *
 * @throws NodeOperationError for what is not a date, a date that does not exist, a time that the zone's clock skips, or an
 * unknown zone
 */
export function dateScheduledParameter(
	context: IExecuteFunctions,
	itemIndex: number,
): { dateScheduled: string; timezone: string } {
	const chosenZone = textParameter(context, itemIndex, 'options.timezone', TIMEZONE);
	return readParameter(context, itemIndex, 'dateScheduled', (value) => {
		const date = toDate(LABEL, value);
		if (!date) throw new InvalidParameterError(`${LABEL} is empty: enter when the event takes place`);
		const isOfWorkflow = chosenZone === '' || chosenZone === WORKFLOW_TIME_ZONE;
		const timezone = toTimeZone(TIMEZONE, isOfWorkflow ? context.getTimezone() : chosenZone);
		return { dateScheduled: toDateTimeText(LABEL, date, timezone), timezone };
	});
}
