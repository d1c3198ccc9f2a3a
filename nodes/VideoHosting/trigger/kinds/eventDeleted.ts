import type { IDataObject } from 'n8n-workflow';

import { findEvent } from '../../service/events';
import { errorMessage } from '../../shared/text';
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
	async reportMissing(context, settings, missing, lastPoll) {
		const items: IDataObject[] = [];
		const settled: string[] = [];
		const askAgain: string[] = [];
		let left = MOST_ASKED;
		for (const { key, value, missingMs } of missing) {
			const item = toDeletedItem(value);
			// A deletion counts in the range of the poll that first misses the event.
			if (missingMs === 0 && !isScheduledWithin(settings, [item.dateScheduled], lastPoll)) {
				settled.push(key);
				continue;
			}
			if (left === 0) continue;
			left--;
			try {
				const exists = item.hash && (await findEvent(context, settings.planId, item.hash)).event;
				(exists ? askAgain : settled).push(key);
				if (!exists) items.push(item);
			} catch (error) {
				context.logger.warn(
					`The service does not say whether event ${item.hash} was deleted: ${errorMessage(error)}`,
				);
				askAgain.push(key);
				left = 0;
			}
		}
		return { items, settled, askAgain };
	},
});
