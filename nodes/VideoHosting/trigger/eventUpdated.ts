import type { IDataObject } from 'n8n-workflow';

import { dateScheduledOf, eventTitleOf } from '../service/recordFields';
import { pack, unpack, type LastSeen } from './diff/lastSeen';
import type { PollSource } from './pollSource';
import { eventSample } from './sample';
import { identityOfEvent, watchedEvents } from './watchedEvents';

/** Fires when the title or the date of an event differs from the last reading that listed the event. */
export const eventUpdated: PollSource = {
	kind: 'event',
	read: watchedEvents,

	comparable(record) {
		const identity = identityOfEvent(record);
		const content = contentOf(record);
		const isReadable = content.title !== undefined || content.dateScheduled !== undefined;
		return identity && isReadable ? { identity, value: pack(content) } : undefined;
	},

	notComparable: {
		message: 'The events of this plan have no hash, or neither title nor date, so updates cannot be detected',
		needs: 'the fields hash, title and dateScheduled',
	},

	report({ previousValue, value, record }) {
		if (previousValue === undefined || previousValue === value) return undefined;
		return updated(record, unpack(previousValue));
	},

	sample: async (context, settings) =>
		await eventSample(context, settings, (event) => updated(event, contentOf(event))),
};

function contentOf(event: IDataObject): LastSeen {
	return { title: eventTitleOf(event), dateScheduled: dateScheduledOf(event) };
}

function updated(
	event: IDataObject,
	{ title = null, dateScheduled = null }: Nullable<LastSeen>,
): IDataObject {
	return { ...event, previous: { title, dateScheduled }, changedAt: new Date().toISOString() };
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null };
