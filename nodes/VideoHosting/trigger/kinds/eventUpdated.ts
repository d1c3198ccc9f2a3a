import { contentOf, eventsOption, isScheduledWithin, ofEvents, withinDaysOption } from '../events';
import { kindOf, planIdOption } from '../kind';

export const eventUpdated = kindOf({
	...ofEvents,
	name: 'Event Updated',
	description:
		'When the title or the date of a live event changes. A test shows the latest event, and its present values as the previous ones.',
	fields: { planId: planIdOption, hashes: eventsOption, withinDays: withinDaysOption },
	valueOf: ({ title, dateScheduled }) =>
		title === undefined && dateScheduled === undefined ? undefined : JSON.stringify([title, dateScheduled]),
	needs: 'a hash and a title or a date',
	/** An event that was or is in the range: also one that moves across its edge. */
	isReported({ previous, watched }, settings, since) {
		if (previous === undefined) return false;
		const [, dateBefore] = contentOf(previous);
		return isScheduledWithin(settings, [watched.dateScheduled, dateBefore], since);
	},
	toItem({ watched, previous, value }) {
		const [title, dateScheduled] = contentOf(previous ?? value);
		return { ...watched.record, previous: { title, dateScheduled }, changedAt: new Date().toISOString() };
	},
});
