import type { IPollFunctions } from 'n8n-workflow';

import { eventsInRange, toEvent, type Event, type ScheduleRange } from '../service/event';
import { eventPages, findEvent } from '../service/events';
import { firstRecords } from '../service/paging';
import { operationError } from '../transport/errors';
import type { TriggerSettings } from './settings';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * Reads the events of the plan, or only those of Event Names or IDs.
 *
 * @param isFirst an unknown hash is an error; later, its event may have been deleted
 * @returns `watched`: a new list of those of `all` that take place in the range of dates that the trigger watches
 * @throws NodeApiError when an event or a page cannot be read; NodeOperationError for an unknown hash, and when a range is set
 * and no event has a date
 */
export async function watchedEvents(
	context: IPollFunctions,
	settings: TriggerSettings,
	{ isFirst }: { isFirst: boolean },
): Promise<{ all: Event[]; watched: Event[] }> {
	const all =
		settings.hashes.length > 0
			? await eventsByHash(context, settings, isFirst)
			: await firstRecords(eventPages(context, settings.planId));
	const range = watchedRange(settings);
	if (!range) return { all, watched: [...all] };
	const inRange = eventsInRange(context, all, range, settings.timezone);
	return { all, watched: inRange.map(({ event }) => event) };
}

/** The dates that the trigger watches now; undefined for all. */
function watchedRange({ minutesBefore, withinDays }: TriggerSettings): ScheduleRange | undefined {
	const now = Date.now();
	if (minutesBefore !== undefined)
		return { from: now, before: now + minutesBefore * MINUTE_MS, label: 'Minutes Before' };
	if (withinDays === undefined) return undefined;
	const [from, before] = [now - withinDays * DAY_MS, now + withinDays * DAY_MS];
	return { from, before, label: 'Scheduled Within Days' };
}

async function eventsByHash(
	context: IPollFunctions,
	{ planId, hashes }: TriggerSettings,
	mustExist: boolean,
): Promise<Event[]> {
	const events: Event[] = [];
	const unknown: string[] = [];
	for (const hash of hashes) {
		const event = await findEvent(context, planId, hash);
		if (event) events.push(event.hash === undefined ? toEvent({ hash, ...event.record }) : event);
		else unknown.push(`"${hash}"`);
	}
	if (!mustExist || unknown.length === 0) return events;
	throw operationError(
		context,
		`The service does not find these events of Event Names or IDs: ${unknown.join(', ')}`,
		'They may have been deleted, or belong to another plan. Select the events again.',
	);
}
