import { withoutSecrets } from '../transport/secrets';
import { eventSample } from './eventSample';
import type { PollSource } from './pollSource';
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
		description: 'Check the output of Event → Get Many: the trigger needs the field hash or eventId.',
	},

	report({ previousValue, record }) {
		return previousValue === undefined ? withoutSecrets(record) : undefined;
	},

	async sample(context, settings) {
		return await eventSample(context, settings);
	},
};
