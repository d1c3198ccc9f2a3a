import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeOperationError, type NodeApiError } from 'n8n-workflow';

import { findEvent } from '../service/events';
import { eventList } from '../service/events';
import { eventHashOf, eventIdOf } from '../service/recordFields';
import {
	readPages,
	readTimeRange,
	WHOLE_LIST,
	type ReadLimits,
	type TimeSortedList,
} from '../service/timeSortedList';
import { plainError, toNodeError } from '../transport/errors';
import type { Identity } from './diff/knownRecords';
import { eventIdentity } from './diff/lastSeen';
import type { PollState } from './diff/pollState';
import type { EventsNotFound, WatchedRecords } from './pollSource';
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
 * @throws NodeApiError when a page cannot be read, when a manual test reads a hash that the service does not find, or when
 * nothing is known and the service finds no hash; NodeOperationError when dates are needed and cannot be read
 */
export async function watchedEvents(
	context: IPollFunctions,
	settings: TriggerSettings,
	state?: PollState,
	limits: ReadLimits = WHOLE_LIST,
): Promise<WatchedRecords> {
	const { planId, hashes, timezone } = settings;
	const span = spanOf(settings);
	const list = eventList(context, planId, undefined, timezone);
	const watched: WatchedRecords =
		hashes.length > 0
			? sortedByTime(await eventsByHash(context, planId, hashes, limits), list)
			: span
				? await readTimeRange(list, { from: () => span.from }, limits, state?.order)
				: await readPages(list.defaultOrder, limits);
	const { notFound, records } = watched;
	const isFirst = state?.baseline !== undefined && state.known.length === 0;
	if (notFound && (state === undefined || (isFirst && records.length === 0)))
		throw eventsNotFoundError(context, notFound);
	if (!span || records.length === 0) return watched;

	const times = records.map(list.timeOf);
	if (times.every((time) => time === undefined)) {
		throw new NodeOperationError(
			context.getNode(),
			settings.minutesBefore === undefined
				? 'The events have no readable date, so Scheduled Within Days cannot be applied'
				: 'The events have no readable date, so it is not known when they start',
			{
				description: `${settings.minutesBefore === undefined ? 'Remove this option, or check' : 'Check'} the output of Event → Get Many: the trigger needs the field dateScheduled.`,
			},
		);
	}
	return { ...watched, records: records.filter((_record, index) => isWithin(span, times[index])) };
}

/** What identifies an event in its plan; undefined when its record has neither hash nor ID. */
export function identityOfEvent(event: IDataObject): Identity | undefined {
	const hash = eventHashOf(event);
	const eventId = eventIdOf(event);
	return hash === undefined && eventId === undefined ? undefined : eventIdentity({ hash, eventId });
}

/**
 * Events read one by one; in `limits` and in the result, the first hash is on page 1.
 *
 * @throws NodeApiError when one cannot be read
 */
export async function eventsByHash(
	context: IPollFunctions,
	planId: string,
	hashes: string[],
	{ firstPage, hasTimeLeft, endsReading }: ReadLimits,
): Promise<WatchedRecords> {
	const records: IDataObject[] = [];
	const notFound: EventsNotFound = { hashes: [] };
	const watched = () => ({ records, ...(notFound.hashes.length > 0 ? { notFound } : {}) });
	for (const [index, hash] of hashes.entries()) {
		const page = index + 1;
		if (page < firstPage) continue;
		if (page > firstPage && !hasTimeLeft()) return { ...watched(), nextPage: page };
		try {
			const { event, reason } = await findEvent(context, planId, hash);
			if (event) records.push({ ...(eventHashOf(event) ? {} : { hash }), ...event });
			else notFound.hashes.push(hash);
			notFound.reason = reason ?? notFound.reason;
		} catch (error) {
			if (page > firstPage && endsReading?.(error)) return { ...watched(), nextPage: page };
			throw toNodeError(context, error);
		}
	}
	return watched();
}

function sortedByTime(watched: WatchedRecords, { timeOf }: TimeSortedList): WatchedRecords {
	const { records } = watched;
	return {
		...watched,
		records: records.sort((a, b) => (timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0),
	};
}

/** Number of hashes that a message shows. */
const SHOWN_HASHES = 20;

/** The error that names the hashes, with the service's error message. */
export function eventsNotFoundError(context: IPollFunctions, notFound: EventsNotFound): NodeApiError {
	const { reason } = notFound;
	return plainError(context.getNode(), {
		message: notFoundMessage(notFound),
		description:
			reason?.description ??
			'They may have been deleted, or belong to another plan. Remove these hashes, or select the events again.',
		httpCode: reason?.httpCode ?? undefined,
		failure: { cause: 'configuration-invalid' },
	});
}

/** The message about these hashes. */
export function notFoundMessage({ hashes, reason }: EventsNotFound): string {
	const shown = hashes.slice(0, SHOWN_HASHES).map((hash) => `"${hash}"`);
	const more = hashes.length - shown.length;
	const names = `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
	const explanation = reason ? ` ${reason.message}` : '';
	return `The service does not find these events of Event Names or IDs: ${names}.${explanation}`;
}
