import type { IDataObject } from 'n8n-workflow';

import { findEvent } from '../../service/events';
import { toNodeError } from '../../transport/errors';
import { eventsOption, isScheduledWithin, ofEvents, withinDaysOption } from '../events';
import { kindOf, planIdOption } from '../kind';

/** An event as the trigger remembers it. */
type LastSeen = [string | null, number | null, string | null, string | null];

function toDeletedItem(value: string) {
	// valueOf() wrote it.
	const [hash, eventId, title, dateScheduled] = JSON.parse(value) as LastSeen;
	return { deleted: true, hash, eventId, title, dateScheduled, deletedAt: new Date().toISOString() };
}

/** How many events a poll asks for by their hash: a list that is empty by mistake must not cost a request for each event. */
const MOST_ASKED = 100;

/** Asks by hash for events that the list misses. */
export const eventDeleted = kindOf({
	...ofEvents,
	name: 'Event Deleted',
	description: 'When a live event is no longer in the plan',
	fields: { planId: planIdOption, hashes: eventsOption, withinDays: withinDaysOption },
	valueOf: ({ hash, id, title, dateScheduled }) => JSON.stringify([hash, id, title, dateScheduled]),
	needs: 'a hash or an ID',
	isReported: () => false,
	toItem: ({ value }) => toDeletedItem(value),
	async reportMissing(context, settings, state, lastPoll) {
		const items: IDataObject[] = [];
		let left = MOST_ASKED;
		for (const [key, since] of state.missing) {
			const value = state.known.get(key) ?? '[]';
			const item = toDeletedItem(value);
			// A deletion counts in the range of the poll that first misses the event.
			const isInRange = since !== state.at || isScheduledWithin(settings, [item.dateScheduled], lastPoll);
			if (isInRange && left === 0) continue;
			// Added again at the end, so that the next poll asks for the others first.
			state.known.delete(key);
			if (!isInRange) {
				state.missing.delete(key);
				continue;
			}
			left--;
			try {
				const exists = item.hash && (await findEvent(context, settings.planId, item.hash)).event;
				state.missing.delete(key);
				if (exists) state.known.set(key, value);
				else items.push(item);
			} catch (error) {
				const { message } = toNodeError(context, error);
				context.logger.warn(`The service does not say whether event ${item.hash} was deleted: ${message}`);
				state.known.set(key, value);
				left = 0;
			}
		}
		return items;
	},
});
