import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toChoice, toTexts } from '../parameters/values';
import { firstText, normalizedName } from '../shared/jsonFields';
import { operationError } from '../transport/errors';

/** The statuses of an event (docs/api-reference.md), as the panels of both nodes list them. */
export const eventStatusOptions = [
	{ name: 'Live', value: 'LIVE', description: 'The event is on air' },
	{ name: 'On Demand', value: 'ON_DEMAND', description: 'The event is over or was never live' },
	{ name: 'Waiting to Go Live', value: 'WAITING_LIVE', description: 'The event has not started yet' },
];

/** Their values: `LIVE`, `ON_DEMAND`, `WAITING_LIVE`. */
const EVENT_STATUSES = eventStatusOptions.map(({ value }) => value);

/** Statuses of a multi-select, in upper or lower case; each once and sorted. */
export function toStatuses(label: string, value: unknown): string[] {
	const statuses = toTexts(label, value).map((text) => toChoice(label, text.toUpperCase(), EVENT_STATUSES));
	return [...new Set(statuses)].sort();
}

/** The usual names of the field, the documented one first. */
const STATUS_NAMES = ['status', 'eventstatus', 'livestatus', 'state'];

/** The documented status that a text stands for, such as `on demand` and `onDemand`; undefined for others. */
export function documentedStatus(text: string): string | undefined {
	const letters = normalizedName(text.replace(/\s/g, ''));
	return EVENT_STATUSES.find((status) => normalizedName(status) === letters);
}

/**
 * The status of an event: a documented one as the reference writes it (`ON_DEMAND`, also for `on demand`), which is preferred
 * when the record has several status fields, else any other text in upper case.
 */
export function eventStatusOf(event: IDataObject): string | undefined {
	const texts = STATUS_NAMES.flatMap((name) => firstText(event, [name]) ?? []);
	const [documented] = texts.flatMap((text) => documentedStatus(text) ?? []);
	return documented ?? texts[0]?.trim().toUpperCase();
}

/**
 * Checks that one of these events has a documented status, unless there are no events. Others may have a new status of the service.
 *
 * @throws NodeOperationError
 */
export function checkStatuses(context: IExecuteFunctions, events: readonly IDataObject[]): void {
	const statuses = events.map((event) => eventStatusOf(event) ?? 'none');
	if (events.length === 0 || statuses.some((status) => EVENT_STATUSES.includes(status))) return;
	const found = [...new Set(statuses)].slice(0, 5).map((status) => `"${status}"`);
	throw operationError(
		context,
		`No event of this plan has one of the statuses ${EVENT_STATUSES.join(', ')}: they have ${found.join(', ')}`,
		'Check the output of Event → Get Many without the filter Status.',
	);
}
