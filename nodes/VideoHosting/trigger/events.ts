import type { IPollFunctions } from 'n8n-workflow';

import { DAY_MS } from '../parameters/dates';
import { parameter } from '../parameters/parameter';
import { toHashes } from '../parameters/references';
import { emptyError, toNumber } from '../parameters/values';
import { checkDates, type Event } from '../service/event';
import { eventPages, existingEvent, findEvent } from '../service/events';
import { firstRecords } from '../service/paging';
import { serviceTime } from '../service/record';
import { ifAdded, type CommonSettings } from './kind';

export const eventsOption = parameter(ifAdded(toSortedHashes), {
	displayName: 'Event Names or IDs',
	name: 'events',
	collection: 'options',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getEvents', loadOptionsDependsOn: ['options.planId'] },
	// An expression may return one text with commas: the panel must not mark it as an error.
	allowArbitraryValues: true,
	default: [],
	description:
		'Events to watch instead of all. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
});

export const withinDaysOption = parameter(ifAdded(toNumber({ min: 1, fractions: true })), {
	displayName: 'Scheduled Within Days',
	name: 'scheduledWithinDays',
	collection: 'options',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 7,
	description: 'Report only events scheduled at most this many days before or after now',
});

function toSortedHashes(label: string, value: unknown): string[] {
	const hashes = toHashes(label, value);
	if (hashes.length > 0) return [...new Set(hashes)].sort();
	throw emptyError(label, 'Choose an event, or remove the option.');
}

/** The settings of the kinds that watch events; not all of them have both fields. */
interface EventSettings extends CommonSettings {
	planId: string;
	/** Only these events. */
	hashes?: string[];
	/** Only changes of events scheduled this many days around now. */
	withinDays?: number;
}

/** What all kinds that watch events have in common. */
export const ofEvents = {
	change: 'a live event changes',
	record: 'event',
	list: watchedEvents,
	samples: async (context: IPollFunctions, settings: EventSettings) =>
		latestOf(await watchedEvents(context, settings), settings),
};

/**
 * Reads the events of the plan, or only those of Event Names or IDs. Events outside Scheduled Within Days are read too, because
 * they may move into the range.
 *
 * @param isProven then, the event of an unknown hash may have been deleted; until then it is an error
 * @throws ServiceError when an event or a page cannot be read; OperationError for an unknown hash, and when a range is set
 * and no event has a date
 */
async function watchedEvents(context: IPollFunctions, settings: EventSettings, isProven = false) {
	const { hashes, planId } = settings;
	const events = hashes
		? await eventsByHash(context, planId, hashes, !isProven)
		: await firstRecords(eventPages(context, planId));
	if (settings.withinDays !== undefined && !isProven) checkDates(events, withinDaysOption.displayName);
	return events;
}

/** A title or a status, and the date, from the value that a kind compares. */
export const contentOf = (value: string) => JSON.parse(value) as [text: string | null, date: string | null];

/** The events within Scheduled Within Days, the latest scheduled first. */
export function latestOf(events: readonly Event[], settings: EventSettings): Event[] {
	const found = events.filter(({ dateScheduled }) => isScheduledWithin(settings, [dateScheduled]));
	const timed = found.map((event) => ({
		event,
		time: serviceTime(event.dateScheduled, settings.timezone) ?? 0,
	}));
	return timed.sort((one, other) => other.time - one.time).map(({ event }) => event);
}

/**
 * Whether one of these dates was within Scheduled Within Days at some time since then, as a change may have been made at any of it: after
 * n8n was off for a week, the event that went live on Tuesday is reported, though its date is out of the range by now.
 *
 * @param dates as the service wrote them
 * @param since milliseconds since the epoch
 */
export function isScheduledWithin(
	{ timezone, withinDays }: EventSettings,
	dates: Array<string | null | undefined>,
	since = Date.now(),
): boolean {
	if (withinDays === undefined) return true;
	const times = dates.flatMap((date) => serviceTime(date ?? undefined, timezone) ?? []);
	return times.some((time) => Math.max(since - time, time - Date.now()) <= withinDays * DAY_MS);
}

async function eventsByHash(context: IPollFunctions, planId: string, hashes: string[], mustExist: boolean) {
	const events: Event[] = [];
	for (const hash of hashes) {
		const event = mustExist
			? await existingEvent(context, planId, hash, eventsOption.displayName)
			: (await findEvent(context, planId, hash)).event;
		if (event) events.push(event);
	}
	return events;
}
