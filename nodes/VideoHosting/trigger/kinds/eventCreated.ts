import { isScheduledWithin, ofEvents, withinDaysOption } from '../events';
import { kindOf, planIdOption } from '../kind';

export const eventCreated = kindOf({
	...ofEvents,
	name: 'Event Created',
	description: 'When a live event appears in the plan for the first time',
	fields: { planId: planIdOption, withinDays: withinDaysOption },
	valueOf: () => '',
	needs: 'a hash or an ID',
	/** With one value for all, only a new record is a change. */
	isReported: ({ watched }, settings, since) => isScheduledWithin(settings, [watched.dateScheduled], since),
});
