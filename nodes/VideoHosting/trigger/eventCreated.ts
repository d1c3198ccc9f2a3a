import type { IDataObject } from 'n8n-workflow';

import { additions } from '../changes/additions';
import { identityOf } from '../service/responseParsing';
import { withoutSecrets } from '../service/secrets';
import { latestOf, newestRecord } from './sample';
import { emptyPollState, type PollSource } from './pollSource';
import { eventIdentityOf, eventList, watchedEvents } from './watchedEvents';

/** Fires when an event is listed that was never listed before. */
export const eventCreated: PollSource = {
	async poll(context, settings, known, hasTimeLeft) {
		const memory = known ?? emptyPollState(settings.scope);
		const limits = { firstPage: memory.nextPage, hasTimeLeft };
		const { records, nextPage } = await watchedEvents(context, settings, limits, known === undefined);
		const readings = records.map((record) => ({
			key: eventIdentityOf(record) ?? identityOf(record),
			record,
		}));
		const { added, next } = additions(memory.knownItems, readings);
		return {
			found: memory.complete ? added.map(withoutSecrets) : [],
			memory: {
				...memory,
				knownItems: next,
				nextPage: nextPage ?? 1,
				complete: memory.complete || nextPage === undefined,
			},
		};
	},

	async sample(context, settings) {
		const list = eventList(context, settings.planId);
		let event: IDataObject | undefined;
		if (settings.withinDays === undefined) {
			event = await newestRecord(list, () => true);
		} else {
			const limits = { firstPage: 1, hasTimeLeft: () => true };
			const { records } = await watchedEvents(context, settings, limits, true);
			event = latestOf(records, list.timeOf, () => true);
		}
		return event && withoutSecrets(event);
	},

	noSample: 'No event was found. Create an event in the plan, or clear the options, and test again.',
};
