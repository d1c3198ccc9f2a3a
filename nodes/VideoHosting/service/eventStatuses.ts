import { toChoice, toTexts } from '../parameters/values';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import { EVENT_STATUSES, type Event } from './event';

/** The statuses of an event (docs/api-reference.md), as the panels of both nodes list them. */
export const eventStatusOptions = [
	{ name: 'Live', value: 'LIVE', description: 'The event is on air' },
	{ name: 'On Demand', value: 'ON_DEMAND', description: 'The event is over or was never live' },
	{ name: 'Waiting to Go Live', value: 'WAITING_LIVE', description: 'The event has not started yet' },
];

/** Statuses of a multi-select, in upper or lower case; each once and sorted. */
export function toStatuses(label: string, value: unknown): string[] {
	const statuses = toTexts(label, value).map((text) => toChoice(label, text.toUpperCase(), EVENT_STATUSES));
	return [...new Set(statuses)].sort();
}

/**
 * Checks that one of these events has a documented status, unless there are no events. Others may have a new status of the service.
 *
 * @throws NodeOperationError
 */
export function checkStatuses(context: ServiceContext, events: readonly Event[]): void {
	const statuses = events.map(({ status = 'none' }) => status);
	if (events.length === 0 || statuses.some((status) => EVENT_STATUSES.includes(status))) return;
	const found = [...new Set(statuses)].slice(0, 5).map((status) => `"${status}"`);
	throw operationError(
		context,
		`No event of this plan has one of the statuses ${EVENT_STATUSES.join(', ')}: they have ${found.join(', ')}`,
		'Check the output of Event → Get Many without the filter Status.',
	);
}
