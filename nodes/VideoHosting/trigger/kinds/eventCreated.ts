import { isScheduledWithin, ofEvents, withinDaysOption } from '../events';
import { kindOf } from '../kind';

export const eventCreated = kindOf({
	...ofEvents,
	name: 'Event Created',
	description: 'When a live event appears in the plan for the first time',
	fields: { withinDays: withinDaysOption },
	valueOf: () => '',
	needs: 'a hash or an ID',
	isReported: ({ previous, watched }, settings, since) =>
		previous === undefined && isScheduledWithin(settings, [watched.dateScheduled], since),
});
