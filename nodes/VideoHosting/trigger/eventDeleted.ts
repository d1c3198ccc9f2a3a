import type { IDataObject } from 'n8n-workflow';

import { eventPages } from '../service/leftovers/eventPages';
import { scheduledTimeIn } from '../service/events';
import { findEvent } from '../service/leftovers/lists';
import { dateScheduledOf, eventHashOf, eventIdOf, eventTitleOf } from '../service/recordFields';
import { mayMeanUnknownRecord } from '../service/leftovers/lists';
import { toNodeError } from '../transport/errors';
import { FORGOTTEN_AFTER, isGone, type KnownRecord } from './diff/knownRecords';
import { pack, unpack, type LastSeen } from './diff/lastSeen';
import type { FoundAgain, PollSource } from './pollSource';
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
		const answers = new Map<KnownRecord, FoundAgain>();
		// A part of the list proves nothing: an event that it does not show may have another date now.
		const undecided = spanOf(settings) ? 'forgotten' : 'gone';
		try {
			// No list was read. A service that does not know the plan finds no event of it, either.
			if (hashes.length > 0) await eventPages(context, { planId })(1);
		} catch (error) {
			if (!endsReading?.(error)) throw toNodeError(context, error);
			return answers;
		}
		for (const [index, known] of gone.entries()) {
			if (index > 0 && !hasTimeLeft()) break;
			const { hash, ...before } = unpack(known.value);
			const isLongGone = isGone(known, FORGOTTEN_AFTER, Date.now());
			if (hash === undefined) {
				if (undecided === 'gone' || isLongGone) answers.set(known, undecided);
				continue;
			}
			try {
				const { event } = await findEvent(context, planId, hash);
				const isIt = event !== undefined && (eventHashOf(event) ?? hash) === hash;
				answers.set(known, isIt ? { value: pack({ hash, ...latest(before, lastSeen(event)) }) } : 'gone');
			} catch (error) {
				if (endsReading?.(error) && !isLongGone) break;
				// In the end the complete lists decide.
				const isRejected = undecided === 'gone' && mayMeanUnknownRecord(error);
				if (isRejected || isLongGone) answers.set(known, undecided);
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

/** The response to a search by hash may contain only a part of the event. */
function latest(before: LastSeen, { title, dateScheduled, eventId }: LastSeen): LastSeen {
	return {
		title: title ?? before.title,
		dateScheduled: dateScheduled ?? before.dateScheduled,
		eventId: eventId ?? before.eventId,
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
