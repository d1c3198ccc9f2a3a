import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';

import { passes, statusChanges, type EventReading } from '../changes/statusChanges';
import { eventStatusOf } from '../service/responseParsing';
import { withoutSecrets } from '../service/secrets';
import { latestOf, newestRecord } from './sample';
import { emptyPollState, type PollSource } from './pollSource';
import { eventIdentityOf, eventList, watchedEvents } from './watchedEvents';

/** Fires when the status of an event is another one than at the poll before. */
export const eventStatusChanged: PollSource = {
	async poll(context, settings, known, hasTimeLeft) {
		const memory = known ?? emptyPollState(settings.scope);
		const limits = { firstPage: memory.nextPage, hasTimeLeft };
		const { records, nextPage } = await watchedEvents(context, settings, limits, known === undefined);
		const { changes, next } = statusChanges(memory.knownItems, readings(context, records));
		const changedAt = new Date().toISOString();
		return {
			found: changes
				.filter((change) => passes(settings.statuses, change))
				.map(({ record, previousStatus, status }) => ({
					...withoutSecrets(record),
					previousStatus,
					status,
					changedAt,
				})),
			memory: {
				...memory,
				knownItems: next,
				nextPage: nextPage ?? 1,
				complete: memory.complete || nextPage === undefined,
			},
		};
	},

	async sample(context, settings) {
		const { to } = settings.statuses;
		const matches = (event: IDataObject) => {
			const status = eventStatusOf(event);
			return status !== undefined && (to.length === 0 || to.includes(status));
		};
		const list = eventList(context, settings.planId);
		let event: IDataObject | undefined;
		if (settings.hashes.length === 0 && settings.withinDays === undefined) {
			event = await newestRecord(list, matches);
		} else {
			const limits = { firstPage: 1, hasTimeLeft: () => true };
			const { records } = await watchedEvents(context, settings, limits, true);
			event = latestOf(records, list.timeOf, matches);
		}
		if (!event) return undefined;
		return {
			...withoutSecrets(event),
			previousStatus: null,
			status: eventStatusOf(event),
			changedAt: new Date().toISOString(),
		};
	},

	noSample:
		'No event with a status of To Status was found. Create an event or start one in the plan, or clear To Status and the options, and test again.',
};

/**
 * What can be compared. A record without identity or status is left out, as if it had not been listed.
 *
 * @throws NodeOperationError when that is all of them
 */
function readings(context: IPollFunctions, records: IDataObject[]): Array<EventReading<IDataObject>> {
	const comparable = records.flatMap((record) => {
		const event = eventIdentityOf(record);
		const status = eventStatusOf(record);
		return event === undefined || status === undefined ? [] : [{ event, status, record }];
	});
	if (comparable.length > 0 || records.length === 0) return comparable;
	throw new NodeOperationError(
		context.getNode(),
		'The events of this plan carry no hash or no status, so changes of the status cannot be noticed',
		{ description: 'Look at the output of Event → Get Many: the fields hash and status are needed.' },
	);
}
