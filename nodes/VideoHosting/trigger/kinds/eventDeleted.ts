import type { IDataObject } from 'n8n-workflow';

import { findEvent } from '../../service/events';
import { errorKind, hasStatus, toNodeError } from '../../transport/errors';
import { eventsOption, isScheduledWithin, ofEvents, withinDaysOption } from '../events';
import { kindOf } from '../kind';

/** An event as the trigger remembers it. */
type LastSeen = [string | null, number | null, string | null, string | null];

function toDeletedItem(value: string) {
	// valueOf() wrote it.
	const [hash, eventId, title, dateScheduled] = JSON.parse(value) as LastSeen;
	return { deleted: true, hash, eventId, title, dateScheduled, deletedAt: new Date().toISOString() };
}

/**
 * Asks by hash for events that two lists in a row miss. After a failed request, the next poll asks again.
 */
export const eventDeleted = kindOf({
	...ofEvents,
	name: 'Event Deleted',
	description: 'When a live event is no longer in the plan. Two polls in a row must miss it.',
	fields: { hashes: eventsOption, withinDays: withinDaysOption },
	valueOf: ({ hash, id, title, dateScheduled }) => JSON.stringify([hash, id, title, dateScheduled]),
	needs: 'a hash or an ID',
	isReported: () => false,
	toItem: ({ value }) => toDeletedItem(value),
	isForgotten: () => false,
	async reportMissing(context, settings, state, lastPoll) {
		const items: IDataObject[] = [];
		let isDown = false;
		for (const [key, since] of state.missing) {
			const item = toDeletedItem(state.known.get(key) ?? '[]');
			const isMissedOnce = since === state.at;
			// Of a range, only what was in it after the last poll, which still listed the event, is ever reported.
			if (isMissedOnce && isScheduledWithin(settings, [item.dateScheduled], lastPoll)) continue;
			if (isDown && !isMissedOnce) continue;
			try {
				const exists =
					!isMissedOnce && item.hash && (await findEvent(context, settings.planId, item.hash)).event;
				state.missing.delete(key);
				if (exists) continue;
				state.known.delete(key);
				if (!isMissedOnce) items.push(item);
			} catch (error) {
				const { message } = toNodeError(context, error);
				context.logger.warn(`The service does not say whether event ${item.hash} was deleted: ${message}`);
				// The next event would wait as long.
				isDown = errorKind(error) === 'rate limit' || hasStatus(error, /^[A-Z]/);
			}
		}
		return items;
	},
});
