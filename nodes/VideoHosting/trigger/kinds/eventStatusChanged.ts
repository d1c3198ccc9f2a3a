import { parameter, type Entered } from '../../parameters/parameter';
import { CHECK_EXPRESSION, emptyError, InvalidParameterError } from '../../parameters/values';
import { checkStatuses, eventStatusOptions, toStatuses } from '../../service/eventStatuses';
import { eventsOption, isScheduledWithin, latestEvents, ofEvents, withinDaysOption } from '../events';
import { kindOf } from '../kind';

/** n8n shows "Select" in each empty multi-select, so the hint says what that means. */
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

const fromStatusField = statusField(
	'From Status',
	'fromStatus',
	'Statuses before the change. A new event counts as Waiting to Go Live.',
);
const toStatusField = statusField('To Status', 'toStatus', 'Statuses after the change');

/** An empty list, which means any status, unless an expression returns it. */
function toFilter(label: string, value: unknown, { isExpression }: Entered): string[] {
	const statuses = toStatuses(label, value);
	if (statuses.length === 0 && isExpression) throw emptyError(label, CHECK_EXPRESSION);
	return statuses;
}

const passes = (filter: readonly string[], status: string) => filter.length === 0 || filter.includes(status);

/** An event that is listed for the first time is reported only if it is live: it was created and started since the last poll. */
export const eventStatusChanged = kindOf({
	...ofEvents,
	name: 'Event Status Changed',
	description: 'When a live event goes live, ends, or changes its status in another way',
	fields: { from: fromStatusField, to: toStatusField, hashes: eventsOption, withinDays: withinDaysOption },
	check({ from, to }) {
		if (from.length === 1 && to.length === 1 && from[0] === to[0])
			throw new InvalidParameterError(
				`From Status and To Status are both ${from[0]}`,
				'Choose different statuses.',
			);
	},
	async list(context, settings, before) {
		const events = await ofEvents.list(context, settings, before);
		if (settings.from.length > 0 || settings.to.length > 0) checkStatuses(context, events);
		return events;
	},
	valueOf: ({ status }) => status,
	needs: 'a hash and a status',
	isReported({ previous, value, watched }, settings) {
		if (previous === undefined && value !== 'LIVE') return false;
		return (
			passes(settings.from, previous ?? 'WAITING_LIVE') &&
			passes(settings.to, value) &&
			isScheduledWithin(settings, [watched.dateScheduled])
		);
	},
	toItem: ({ watched, previous, value }) => ({
		...watched.record,
		previousStatus: previous ?? null,
		status: value,
		changedAt: new Date().toISOString(),
	}),
	latest: async (context, settings) =>
		await latestEvents(context, settings, ({ status }) => passes(settings.to, status ?? '')),
});
