import type { IDataObject } from 'n8n-workflow';

import { eventPages } from '../service/eventPages';
import { findEvent, scheduledTimeIn } from '../service/events';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../service/recordFields';
import { isServiceError, toNodeError } from '../transport/errors';
import { FORGOTTEN_AFTER, isGone, type KnownRecord } from './diff/knownRecords';
import { pack, unpack, type LastSeen } from './diff/lastSeen';
import type { PollSource } from './pollSource';
import { EVENTS, isWithin, spanOf } from './watchedEvents';

/** Fires when two complete readings in a row no longer list an event, and its own record is gone as well. */
export const eventDeleted: PollSource = {
	...EVENTS,
	valueOf: (event) => pack(lastSeen(event)),

	notComparable:
		'The events of this plan have neither a hash nor an ID, so deleted events cannot be detected',
	needs: 'the field hash or eventId',

	report: () => undefined,

	reportDeleted: ({ value }) => deleted(unpack(value)),

	async findAgain(context, settings, gone, { hasTimeLeft, endsReading }) {
		const { planId, hashes } = settings;
		const answers = new Map<KnownRecord, boolean>();
		try {
			// No list was read. A service that does not know the plan finds no event of it, either.
			if (hashes.length > 0) await eventPages(context, { planId })(1);
		} catch (error) {
			if (!endsReading?.(error)) throw toNodeError(context, error);
			return answers;
		}
		for (const [index, known] of gone.entries()) {
			if (index > 0 && !hasTimeLeft()) break;
			const { hash } = unpack(known.value);
			// Without a hash, the whole list alone proves that an event is gone: a part of it may end before another date.
			if (hash === undefined) {
				if (!spanOf(settings)) answers.set(known, false);
				continue;
			}
			try {
				const { event } = await findEvent(context, planId, hash);
				answers.set(known, event !== undefined && (eventHashOf(event) ?? hash) === hash);
			} catch (error) {
				if (endsReading?.(error)) break;
				// What a service answers for an unknown hash is not documented; in the end the complete lists decide.
				if (isServiceError(error, /^4(00|10|22)$/) || isGone(known, FORGOTTEN_AFTER, Date.now()))
					answers.set(known, false);
			}
		}
		return answers;
	},

	remembers({ value }, settings) {
		const span = spanOf(settings);
		return !span || isWithin(span, scheduledTimeIn(settings.timezone)({ ...unpack(value) }));
	},

	toSample: (event) => deleted(lastSeen(event)),
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
