import type { IDataObject } from 'n8n-workflow';

import { additions } from '../changes/additions';
import { identityOf } from '../service/records';
import { withoutSecrets } from '../service/secrets';
import { latestOf, newestRecord } from './sample';
import { emptyMemory, type Watch } from './watch';
import { eventIdentityOf, eventList, watchedEvents } from './watchedEvents';

/** Fires when an event is listed that was never listed before. */
export const eventCreated: Watch = {
	async look(context, settings, known, mayGoOn) {
		const memory = known ?? emptyMemory(settings.scope);
		const limits = { firstPage: memory.nextPage, mayGoOn };
		const { records, nextPage } = await watchedEvents(context, settings, limits, known === undefined);
		const readings = records.map((record) => ({
			thing: eventIdentityOf(record) ?? identityOf(record),
			record,
		}));
		const { added, next } = additions(memory.labels, readings);
		return {
			found: memory.complete ? added.map(withoutSecrets) : [],
			memory: {
				...memory,
				labels: next,
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
			const limits = { firstPage: 1, mayGoOn: () => true };
			const { records } = await watchedEvents(context, settings, limits, true);
			event = latestOf(records, list.timeOf, () => true);
		}
		return event && withoutSecrets(event);
	},

	noSample: 'No event was found. Create an event in the plan, or clear the options, and test again.',
};
