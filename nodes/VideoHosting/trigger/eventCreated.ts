import type { PollSource } from './pollSource';
import { EVENTS } from './watchedEvents';

/** Fires when an event is listed for the first time. */
export const eventCreated: PollSource = {
	...EVENTS,
	valueOf: () => '',

	notComparable: 'The events of this plan have neither a hash nor an ID, so new events cannot be detected',
	needs: 'the field hash or eventId',

	report: ({ previousValue, record }) => (previousValue === undefined ? record : undefined),
};
