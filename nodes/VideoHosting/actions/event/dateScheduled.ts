import type { DateTime } from 'luxon';
import { tryToParseDateTime, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';

import { invalidParameter } from '../parameters';

/** `2026-03-29T02:30`, with or without seconds, `T` or a space: a time on the clock of the chosen zone. */
const LOCAL_TIME = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?$/;

export const dateScheduledField: INodeProperties = {
	displayName: 'Date Scheduled',
	name: 'dateScheduled',
	type: 'dateTime',
	required: true,
	default: '',
	placeholder: 'e.g. 2026-12-24 18:00',
	description:
		'When the event takes place. A date and time without an offset is meant in the time zone of the option Timezone; an ISO date with an offset, such as 2026-12-24T18:00:00Z, is converted to that zone.',
};

export const timezoneOption: INodeProperties = {
	displayName: 'Timezone Name or ID',
	name: 'timezone',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getTimezones' },
	default: '',
	description:
		'Time zone in which the service is told the date. Leave it empty for the time zone of the workflow. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/**
 * The parameter `dateScheduled` as the service wants it (`YYYY-MM-DD HH:mm:ss`, Resources, Event), written in the zone of
 * `options.timezone`, by default the workflow's. It may be an n8n date, an ISO string with an offset, or a local time; a
 * number is refused, since it could be seconds or milliseconds. Of a time that the zone's clock shows twice the service is
 * told no more than that time: which of the two moments it takes is its own decision.
 *
 * @throws NodeOperationError for a text that is no date, a date that does not exist, a time that the zone's clock skips,
 * or an unknown zone
 */
export function dateScheduledParameter(
	context: IExecuteFunctions,
	itemIndex: number,
): { dateScheduled: string; timezone: string } {
	const value = context.getNodeParameter('dateScheduled', itemIndex);
	const chosenZone = context.getNodeParameter('options.timezone', itemIndex, '');
	const timezone =
		typeof chosenZone === 'string' && chosenZone.trim() !== '' ? chosenZone.trim() : context.getTimezone();

	if (value === '' || value === null || value === undefined) {
		throw invalidParameter(context, itemIndex, 'Date Scheduled is empty: enter when the event takes place');
	}
	const written = typeof value === 'string' ? value.trim() : '';
	const local = LOCAL_TIME.test(written);
	const moment = parsed(
		local ? `${written.length === 10 ? `${written}T00:00` : written.replace(' ', 'T')}Z` : value,
	);
	if (!moment || (written !== '' && !saysTheSame(moment, written))) {
		throw invalidParameter(
			context,
			itemIndex,
			`Date Scheduled "${shown(value)}" is not a date that exists: enter one such as 2026-12-24 18:00`,
		);
	}

	const inZone = moment.setZone(timezone, { keepLocalTime: local });
	if (!inZone.isValid) {
		throw invalidParameter(
			context,
			itemIndex,
			`Timezone "${timezone}" is unknown: choose one from the list, such as Europe/Berlin`,
		);
	}
	const dateScheduled = serviceFormat(inZone);
	if (local && dateScheduled !== serviceFormat(moment)) {
		throw invalidParameter(
			context,
			itemIndex,
			`Date Scheduled "${written}" does not exist in ${timezone}: the clock is put forward there at that moment`,
		);
	}
	return { dateScheduled, timezone };
}

function serviceFormat(moment: DateTime): string {
	// An n8n date may carry a language with digits of its own.
	return moment.toFormat('yyyy-MM-dd HH:mm:ss', { locale: 'en', numberingSystem: 'latn' });
}

function parsed(value: unknown): DateTime | undefined {
	try {
		return tryToParseDateTime(value);
	} catch {
		return undefined;
	}
}

/** n8n's parser falls back to JavaScript's, which makes March 2 of February 30: what came out must be what was written. */
function saysTheSame(moment: DateTime, written: string): boolean {
	const date = /^(\d{4}-\d{2}-\d{2})/.exec(written)?.[1];
	return date === undefined || moment.toFormat('yyyy-MM-dd') === date;
}

function shown(value: unknown): string {
	return typeof value === 'string' ? value : JSON.stringify(value);
}
