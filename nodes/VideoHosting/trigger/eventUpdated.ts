import type { IDataObject } from 'n8n-workflow';

import { dateScheduledOf, eventTitleOf } from '../service/recordFields';
import { pack, unpack, type LastSeen } from './diff/lastSeen';
import type { PollSource } from './pollSource';
import { EVENTS } from './watchedEvents';

/** Fires when the title or the date of an event differs from the last reading that listed the event. */
export const eventUpdated: PollSource = {
	...EVENTS,

	valueOf(event) {
		const content = contentOf(event);
		const isReadable = content.title !== undefined || content.dateScheduled !== undefined;
		return isReadable ? pack(content) : undefined;
	},

	notComparable:
		'The events of this plan have no hash, or neither title nor date, so updates cannot be detected',
	needs: 'the fields hash, title and dateScheduled',

	report({ previousValue, value, record }) {
		if (previousValue === undefined || previousValue === value) return undefined;
		return updated(record, unpack(previousValue));
	},

	toSample: (event) => updated(event, contentOf(event)),
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
