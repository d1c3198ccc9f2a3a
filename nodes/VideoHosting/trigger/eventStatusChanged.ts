import type { IDataObject } from 'n8n-workflow';

import { eventStatusOf } from '../service/eventStatuses';
import type { PollSource } from './pollSource';
import type { StatusFilter } from './settings';
import { EVENTS } from './watchedEvents';

/**
 * Fires when the status of an event differs from the last reading that listed the event. An event that is listed for the first
 * time has no status before: it is reported only when it is live already, as it was created and started since the last poll.
 */
export const eventStatusChanged: PollSource = {
	...EVENTS,
	valueOf: eventStatusOf,

	notComparable: 'The events of this plan have no hash or no status, so status changes cannot be detected',
	needs: 'the fields hash and status',

	report({ previousValue, value: status, record }, { statuses }) {
		const isStarted = previousValue === undefined && status === 'LIVE';
		const isChanged = previousValue !== undefined && previousValue !== status;
		if (!isStarted && !isChanged) return undefined;
		if (!passes(statuses, previousValue ?? 'WAITING_LIVE', status)) return undefined;
		return changed(record, previousValue ?? null);
	},

	isSample(event, { statuses: { to } }) {
		const status = eventStatusOf(event);
		return status !== undefined && (to.length === 0 || to.includes(status));
	},

	toSample: (event) => changed(event, null),
};

function changed(event: IDataObject, previousStatus: string | null): IDataObject {
	return { ...event, previousStatus, status: eventStatusOf(event), changedAt: new Date().toISOString() };
}

function passes({ from, to }: StatusFilter, previousStatus: string, status: string): boolean {
	return (from.length === 0 || from.includes(previousStatus)) && (to.length === 0 || to.includes(status));
}
