import type { IDataObject } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { passes } from './diff/statusFilter';
import { documentedStatus } from '../service/eventStatuses';
import { eventList } from '../service/eventSchedule';
import { eventStatusOf } from '../service/recordFields';
import { withoutSecrets } from '../transport/secrets';
import { StatusCheck, type StatusProblem } from '../service/statusCheck';
import type { PollSource } from './pollSource';
import { latestOf, newestRecord } from './sample';
import { conditionsOf, noSampleMessage } from './sampleConditions';
import { eventIdentityOf, watchedEvents } from './watchedEvents';

/**
 * Fires when the status of an event differs from the last reading that listed the event. An event listed for the first
 * time has no status before and is only remembered.
 */
export const eventStatusChanged: PollSource = {
	read: watchedEvents,

	readingOf(record) {
		const identity = eventIdentityOf(record);
		const label = eventStatusOf(record);
		return identity && label !== undefined ? { identity, label } : undefined;
	},

	notComparable: {
		message: 'The events of this plan have no hash or no status, so status changes cannot be detected',
		description: 'Check the output of Event → Get Many: the trigger needs the fields hash and status.',
	},

	problemOf(records, known) {
		// A service may add a status: all events that were watched with documented ones may get it.
		if (known.length > 0) return undefined;
		return problemOfAll(records);
	},

	report({ previousLabel: previousStatus, label: status, record }, { statuses }) {
		if (previousStatus === undefined || previousStatus === status) return undefined;
		if (!passes(statuses, { previousStatus, status })) return undefined;
		return { ...withoutSecrets(record), previousStatus, status, changedAt: new Date().toISOString() };
	},

	async sample(context, settings) {
		const { to } = settings.statuses;
		const list = eventList(context, settings.planId);
		const check = new StatusCheck();
		const matches = (record: IDataObject) => {
			check.add(record);
			const status = documentedStatus(eventStatusOf(record) ?? '');
			return status !== undefined && (to.length === 0 || to.includes(status));
		};
		let event: IDataObject | undefined;
		if (settings.hashes.length === 0 && settings.withinDays === undefined) {
			event = await newestRecord(list, matches);
		} else {
			const { records } = await watchedEvents(context, settings);
			event = latestOf(records, list.timeOf, matches);
		}
		const problem = check.problem();
		if (problem) {
			const { message, description } = problem;
			throw new NodeOperationError(context.getNode(), message, { description });
		}
		if (!event) return undefined;
		return {
			...withoutSecrets(event),
			previousStatus: null,
			status: eventStatusOf(event),
			changedAt: new Date().toISOString(),
		};
	},

	noSample: (settings) => noSampleMessage('event', conditionsOf(settings)),
};

function problemOfAll(records: readonly IDataObject[]): StatusProblem | undefined {
	const check = new StatusCheck();
	for (const record of records) check.add(record);
	return check.problem();
}
