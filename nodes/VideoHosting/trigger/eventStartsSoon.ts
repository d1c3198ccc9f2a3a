import type { IDataObject } from 'n8n-workflow';

import { zoneOffsetMs } from '../parameters/timeZones';
import { scheduledTimeIn } from '../service/events';
import type { PollSource } from './pollSource';
import type { TriggerSettings } from './settings';
import { EVENTS } from './watchedEvents';

const MINUTE_MS = 60_000;

/**
 * Fires once for each event and date when the start is at most so many minutes away. The state contains what was reported
 * until it starts; n8n stores the state of a poll that emits, so a restart repeats nothing.
 */
export const eventStartsSoon: PollSource = {
	...EVENTS,
	reportsExisting: true,

	/** An event with another date is another one to report; the same date in another zone is not: it is read in one zone. */
	identityOf(event) {
		const { hash, id } = EVENTS.identityOf(event);
		const at = (text: string | undefined) => text && `${text} at ${scheduledTimeIn('UTC')(event)}`;
		return { hash: at(hash), id: at(id) };
	},

	valueOf: (event, { timezone }) => scheduledTimeIn(timezone)(event)?.toString(),

	notComparable: 'The events of this plan have neither a hash nor an ID, so none can be reported only once',
	needs: 'the field hash or eventId',

	report: ({ previousValue, record }, settings) =>
		previousValue === undefined ? startingSoon(record, settings) : undefined,

	remembers: ({ value }) => Number(value) >= Date.now(),

	toSample: startingSoon,
};

function startingSoon(event: IDataObject, { timezone }: TriggerSettings): IDataObject {
	const startsAt = scheduledTimeIn(timezone)(event);
	if (startsAt === undefined) return { ...event, startsAt: null, minutesLeft: null };
	return {
		...event,
		startsAt: withOffset(startsAt, timezone),
		minutesLeft: Math.round((startsAt - Date.now()) / MINUTE_MS),
	};
}

/** An instant as ISO 8601 with the offset of a zone: `2030-05-01T20:00:00+02:00`. */
function withOffset(time: number, timezone: string): string {
	const offset = zoneOffsetMs(time, timezone);
	const local = new Date(time + offset).toISOString().slice(0, 19);
	const ahead = new Date(Math.abs(offset)).toISOString().slice(11, 16);
	return `${local}${offset < 0 ? '-' : '+'}${ahead}`;
}
