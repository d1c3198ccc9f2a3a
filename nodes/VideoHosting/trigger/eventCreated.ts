import type { IDataObject } from 'n8n-workflow';

import { eventList } from '../service/eventSchedule';
import { withoutSecrets } from '../transport/secrets';
import type { PollSource } from './pollSource';
import { latestOf, newestRecord } from './sample';
import { conditionsOf, noSampleMessage } from './sampleConditions';
import { eventIdentityOf, watchedEvents } from './watchedEvents';

/** Fires when an event is listed for the first time. */
export const eventCreated: PollSource = {
	read: watchedEvents,

	readingOf(record) {
		const identity = eventIdentityOf(record);
		return identity && { identity, label: '' };
	},

	notComparable: {
		message: 'The events of this plan have neither a hash nor an ID, so new events cannot be detected',
		description: 'Check the output of Event → Get Many: the trigger needs the field hash or eventId.',
	},

	report({ previousLabel, record }, _settings, state) {
		return state.baseline || previousLabel !== undefined ? undefined : withoutSecrets(record);
	},

	async sample(context, settings) {
		const list = eventList(context, settings.planId);
		let event: IDataObject | undefined;
		if (settings.withinDays === undefined) {
			event = await newestRecord(list, () => true);
		} else {
			const { records } = await watchedEvents(context, settings);
			event = latestOf(records, list.timeOf, () => true);
		}
		return event && withoutSecrets(event);
	},

	noSample: (settings) => noSampleMessage('event', conditionsOf(settings)),
};
