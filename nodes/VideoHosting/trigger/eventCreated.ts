import type { PollSource } from './pollSource';
import { eventSample } from './sample';
import { identityOfEvent, watchedEvents } from './watchedEvents';

/** Fires when an event is listed for the first time. */
export const eventCreated: PollSource = {
	kind: 'event',
	read: watchedEvents,

	comparable(record) {
		const identity = identityOfEvent(record);
		return identity && { identity, value: '' };
	},

	notComparable: {
		message: 'The events of this plan have neither a hash nor an ID, so new events cannot be detected',
		needs: 'the field hash or eventId',
	},

	report({ previousValue, record }) {
		return previousValue === undefined ? record : undefined;
	},

	sample: async (context, settings) => await eventSample(context, settings),
};
