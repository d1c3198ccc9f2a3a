import type { IPollFunctions } from 'n8n-workflow';

import { parameter } from '../../parameters/parameter';
import { CHECK_EXPRESSION, emptyError, InvalidParameterError, type Entered } from '../../parameters/values';
import { checkStatuses, eventStatusOptions, toStatuses } from '../../service/event';
import { contentOf, eventsOption, isScheduledWithin, latestOf, ofEvents, withinDaysOption } from '../events';
import { kindOf, planIdOption, type Settings } from '../kind';

/** The hint says what an empty list means, where n8n shows "Select" (docs/n8n-internals.md#empty-multi-selects). */
const statusField = (displayName: string, name: string, description: string) =>
	parameter(toFilter, {
		displayName,
		name,
		type: 'multiOptions',
		options: eventStatusOptions,
		default: [],
		description,
		hint: 'Empty means any status',
	});

const fields = {
	planId: planIdOption,
	from: statusField(
		'From Status',
		'fromStatus',
		'Statuses before the change. A new event that is live counts as Waiting to Go Live before.',
	),
	to: statusField('To Status', 'toStatus', 'Statuses after the change'),
	hashes: eventsOption,
	withinDays: withinDaysOption,
};

/** An empty list, which means any status, unless an expression returns it. */
function toFilter(label: string, value: unknown, { isExpression }: Entered): string[] {
	const statuses = toStatuses(label, value);
	if (statuses.length === 0 && isExpression) throw emptyError(label, CHECK_EXPRESSION);
	return statuses;
}

/** @throws InvalidParameterError and OperationError when no change can ever pass both filters */
async function eventsWithStatus(
	context: IPollFunctions,
	settings: Settings<typeof fields>,
	isProven = false,
) {
	const { from, to } = settings;
	if (from.length === 1 && to.length === 1 && from[0] === to[0])
		throw new InvalidParameterError(
			`From Status and To Status are both ${from[0]}`,
			'Choose different ones.',
		);
	const events = await ofEvents.list(context, settings, isProven);
	// Later, the only events may have a status that the reference does not list.
	if (!isProven && (from.length > 0 || to.length > 0)) checkStatuses(events);
	return events;
}

const passes = (filter: readonly string[], status: string) => filter.length === 0 || filter.includes(status);

/** An event that is listed for the first time is reported only if it is live: it was created and started since the last poll. */
export const eventStatusChanged = kindOf({
	...ofEvents,
	name: 'Event Status Changed',
	description: 'When a live event goes live, ends, or changes its status in another way',
	fields,
	list: eventsWithStatus,
	valueOf: ({ status, dateScheduled }) => (status ? JSON.stringify([status, dateScheduled]) : undefined),
	needs: 'a hash and a status',
	isReported({ previous, watched: { status = '', dateScheduled } }, settings, since) {
		const [statusBefore, dateBefore] = previous === undefined ? [] : contentOf(previous);
		const isChange = previous === undefined ? status === 'LIVE' : status !== statusBefore;
		const passesBoth = passes(settings.from, statusBefore ?? 'WAITING_LIVE') && passes(settings.to, status);
		return isChange && passesBoth && isScheduledWithin(settings, [dateScheduled, dateBefore], since);
	},
	toItem: ({ watched, previous }) => ({
		...watched.record,
		previousStatus: previous === undefined ? null : contentOf(previous)[0],
		changedAt: new Date().toISOString(),
	}),
	async samples(context, settings) {
		const events = await eventsWithStatus(context, settings);
		return latestOf(
			events.filter(({ status = '' }) => passes(settings.to, status)),
			settings,
		);
	},
});
