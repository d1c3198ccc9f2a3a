import type { IDataObject, IPollFunctions, NodeApiError } from 'n8n-workflow';

import { scheduledTimeIn } from '../service/events';
import { eventList, findEvent } from '../service/leftovers/lists';
import { readPages, WHOLE_LIST, type PageReader, type ReadLimits } from '../service/leftovers/paging';
import { eventHashOf, eventIdOf } from '../service/recordFields';
import { newestRecord, readTimeRange } from '../service/leftovers/timeSortedList';
import { operationError, plainError, toNodeError } from '../transport/errors';
import type { Identity } from './diff/knownRecords';
import { eventIdentity } from './diff/lastSeen';
import type { PollState } from './diff/pollState';
import type { WatchedRecords } from './pollSource';
import { unnamedHashes } from './processState';
import type { TriggerSettings } from './settings';

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A range of dates, in milliseconds since the epoch; both ends are included. */
interface Span {
	from: number;
	to: number;
}

/** The dates that the trigger watches now; undefined for all. */
export function spanOf({ minutesBefore, withinDays }: TriggerSettings): Span | undefined {
	const now = Date.now();
	if (minutesBefore !== undefined) return { from: now, to: now + minutesBefore * MINUTE_MS };
	return withinDays === undefined
		? undefined
		: { from: now - withinDays * DAY_MS, to: now + withinDays * DAY_MS };
}

/** Whether a date lies within a span; an event without a date does: one event too many is better than one lost. */
export function isWithin({ from, to }: Span, time: number | undefined): boolean {
	return time === undefined || (time >= from && time <= to);
}

/**
 * The events that the trigger watches, in the order of their schedule, read with as few requests as the options allow.
 *
 * @param state what is known of them; undefined for a manual test
 * @throws NodeApiError when a page cannot be read, and in a manual test and the first poll for hashes that the service does not
 * find; NodeOperationError when dates are needed and cannot be read
 */
async function watchedEvents(
	context: IPollFunctions,
	settings: TriggerSettings,
	state?: PollState,
	limits: ReadLimits = WHOLE_LIST,
): Promise<WatchedRecords> {
	const { planId, hashes, timezone } = settings;
	const span = spanOf(settings);
	const list = eventList(context, planId, timezone);
	const watched: WatchedRecords =
		hashes.length > 0
			? await eventsByHash(context, settings, state, limits)
			: span
				? await readTimeRange(list, { from: () => span.from }, limits, state?.order)
				: await readPages(list.defaultOrder, limits);
	const { records } = watched;
	if (!span || records.length === 0) return watched;

	const isSoon = settings.minutesBefore !== undefined;
	const times = records.map(list.timeOf);
	if (times.every((time) => time === undefined)) {
		const [problem, advice] = isSoon
			? ['it is not known when they start', 'Check']
			: ['Scheduled Within Days cannot be applied', 'Remove this option, or check'];
		const message = `The events have no readable date, so ${problem}`;
		throw operationError(
			context,
			message,
			`${advice} the output of Event → Get Many: the trigger needs the field dateScheduled.`,
		);
	}
	const isWatched = (time: number | undefined) => isWithin(span, time) && !(isSoon && time === undefined);
	return { ...watched, isEmpty: false, records: records.filter((_record, index) => isWatched(times[index])) };
}

/**
 * The latest scheduled of the watched events that match. How soon it starts does not matter.
 *
 * @throws NodeApiError when a page cannot be read or the service does not find a hash
 */
async function newestEvent(
	context: IPollFunctions,
	settings: TriggerSettings,
	matches: (event: IDataObject) => boolean,
): Promise<IDataObject | undefined> {
	const list = eventList(context, settings.planId, settings.timezone);
	if (settings.hashes.length === 0 && settings.withinDays === undefined)
		return await newestRecord(list, matches);
	const { records } = await watchedEvents(context, { ...settings, minutesBefore: undefined });
	const onePage: PageReader = (page) => Promise.resolve(page === 1 ? records : []);
	return await newestRecord({ ...list, newestFirst: onePage }, matches);
}

/** What all sources of events have in common. */
export const EVENTS = {
	kind: 'event' as const,
	read: watchedEvents,
	identityOf: (event: IDataObject): Identity =>
		eventIdentity({ hash: eventHashOf(event), eventId: eventIdOf(event) }),
	newest: newestEvent,
};

/**
 * Events read one by one, in the order of their schedule; in `limits` and in the result, the first hash is on page 1. Once a poll
 * has stored its state, an event that was deleted does not end the watch of the others.
 *
 * @throws NodeApiError when one cannot be read, and in a manual test and the first poll for hashes that the service does not find
 */
async function eventsByHash(
	context: IPollFunctions,
	{ planId, hashes, timezone }: TriggerSettings,
	state: PollState | undefined,
	{ firstPage, hasTimeLeft, endsReading }: ReadLimits,
): Promise<WatchedRecords> {
	const records: IDataObject[] = [];
	const notFound: string[] = [];
	let reason: NodeApiError | undefined;
	let page = firstPage;
	for (; page <= hashes.length; page++) {
		const hash = hashes[page - 1] ?? '';
		if (page > firstPage && !hasTimeLeft()) break;
		try {
			const found = await findEvent(context, planId, hash);
			if (found.event) records.push({ ...(eventHashOf(found.event) ? {} : { hash }), ...found.event });
			else notFound.push(hash);
			reason = found.reason ?? reason;
		} catch (error) {
			if (page === firstPage || !endsReading?.(error)) throw toNodeError(context, error);
			break;
		}
	}
	const nextPage = page <= hashes.length ? page : undefined;
	if (notFound.length > 0 && (state?.revision ?? 0) === 0) {
		throw plainError(context.getNode(), {
			message: notFoundMessage(notFound, reason),
			description:
				reason?.description ??
				'They may have been deleted, or belong to another plan. Remove these hashes, or select the events again.',
			httpCode: reason?.httpCode ?? undefined,
			failure: { cause: 'configuration-invalid' },
		});
	}
	const isWhole = firstPage === 1 && nextPage === undefined;
	const unnamed = state ? unnamedHashes(context, notFound, isWhole) : [];
	if (unnamed.length > 0)
		context.logger.warn(`${notFoundMessage(unnamed, reason)} The other events are still watched.`);
	const timeOf = scheduledTimeIn(timezone);
	records.sort((a, b) => (timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0);
	return { records, nextPage };
}

/** Number of hashes that a message shows. */
const SHOWN_HASHES = 20;

/** @param reason the error that the service returned for the last of them */
function notFoundMessage(hashes: string[], reason: NodeApiError | undefined): string {
	const shown = hashes.slice(0, SHOWN_HASHES).map((hash) => `"${hash}"`);
	const more = hashes.length - shown.length;
	const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const explanation = reason ? ` ${reason.message}` : '';
	return `The service does not find these events of Event Names or IDs: ${names}.${explanation}`;
}
