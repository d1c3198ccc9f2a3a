import { eventStatusOf } from '../service/recordFields';
import { withoutSecrets } from '../transport/secrets';
import { passes } from './diff/statusFilter';
import { eventSample } from './eventSample';
import type { PollSource } from './pollSource';
import { identityOfEvent, watchedEvents } from './watchedEvents';

/**
 * Fires when the status of an event differs from the last reading that listed the event. An event that is listed for the first
 * time has no status before: it is reported only when it is live already, as it was created and started since the last poll.
 */
export const eventStatusChanged: PollSource = {
	kind: 'event',
	read: watchedEvents,

	comparable(record) {
		const identity = identityOfEvent(record);
		const value = eventStatusOf(record);
		return identity && value !== undefined ? { identity, value } : undefined;
	},

	notComparable: {
		message: 'The events of this plan have no hash or no status, so status changes cannot be detected',
		description: 'Check the output of Event → Get Many: the trigger needs the fields hash and status.',
	},

	report({ previousValue, value: status, record }, { statuses }) {
		const isStarted = previousValue === undefined && status === 'LIVE';
		const isChanged = previousValue !== undefined && previousValue !== status;
		if (!isStarted && !isChanged) return undefined;
		if (!passes(statuses, previousValue ?? 'WAITING_LIVE', status)) return undefined;
		const previousStatus = previousValue ?? null;
		return { ...withoutSecrets(record), previousStatus, status, changedAt: new Date().toISOString() };
	},

	async sample(context, settings) {
		const { to } = settings.statuses;
		const event = await eventSample(context, settings, (record) => {
			const status = eventStatusOf(record);
			return status !== undefined && (to.length === 0 || to.includes(status));
		});
		return (
			event && {
				...event,
				previousStatus: null,
				status: eventStatusOf(event),
				changedAt: new Date().toISOString(),
			}
		);
	},
};
