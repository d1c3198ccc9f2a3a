import type { IDataObject } from 'n8n-workflow';

import { scheduledTimeIn } from '../service/eventSchedule';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../service/recordFields';
import { notListed } from './diff/knownRecords';
import { pack, unpack, type LastSeen } from './diff/lastSeen';
import { eventSample } from './eventSample';
import type { PollSource } from './pollSource';
import { eventsByHash, identityOfEvent, isWithin, spanOf, watchedEvents } from './watchedEvents';

/** Fires when two complete readings in a row no longer list an event. */
export const eventDeleted: PollSource = {
	kind: 'event',

	async read(context, settings, state, limits) {
		const span = spanOf(settings);
		const watched = await watchedEvents(context, settings, state, limits);
		if (!span || settings.hashes.length > 0 || watched.nextPage !== undefined) return watched;
		// An event that is not in the range any more may have another date: only its own record can show that.
		const listed = watched.records.map(identityOfEvent).filter((identity) => identity !== undefined);
		const missing = notListed(state.known, listed)
			.map(({ value }) => unpack(value))
			.filter((event) => isWithin(span, scheduledTimeIn(settings.timezone)({ ...event })));
		const hashes = missing.flatMap(({ hash }) => (hash === undefined ? [] : [hash]));
		const moved = await eventsByHash(context, settings.planId, hashes, { ...limits, firstPage: 1 });
		const notProven = missing.filter(({ hash }) => hash === undefined).map((event) => ({ ...event }));
		return {
			...watched,
			records: [...watched.records, ...moved.records, ...notProven],
			// Without an answer about each of them, the reading is not complete.
			...(moved.nextPage === undefined ? {} : { nextPage: 1 }),
		};
	},

	comparable(record) {
		const identity = identityOfEvent(record);
		return identity && { identity, value: pack(lastSeen(record)) };
	},

	notComparable: {
		message: 'The events of this plan have neither a hash nor an ID, so deleted events cannot be detected',
		description: 'Check the output of Event → Get Many: the trigger needs the field hash or eventId.',
	},

	report: () => undefined,

	reportDeleted: ({ value }) => deleted(unpack(value)),

	remembers({ value }, settings) {
		const span = spanOf(settings);
		return !span || isWithin(span, scheduledTimeIn(settings.timezone)({ ...unpack(value) }));
	},

	async sample(context, settings) {
		const event = await eventSample(context, settings);
		return event && deleted(lastSeen(event));
	},
};

function lastSeen(event: IDataObject): LastSeen {
	return {
		title: eventTitleOf(event),
		dateScheduled: dateScheduledOf(event),
		hash: eventHashOf(event),
		eventId: eventIdOf(event),
	};
}

function deleted({ hash, eventId, title, dateScheduled }: LastSeen): IDataObject {
	return {
		deleted: true,
		hash: hash ?? null,
		eventId: eventId ?? null,
		title: title ?? null,
		dateScheduled: dateScheduled ?? null,
		deletedAt: new Date().toISOString(),
	};
}
