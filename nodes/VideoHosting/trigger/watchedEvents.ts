import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Identity } from './diff/knownItems';
import type { PollState } from './diff/pollState';
import { isWebPage } from '../transport/errorResponse';
import { hasStatus, toNodeError, unreadableResponseError } from '../transport/errors';
import { eventByHash } from '../service/events';
import { eventList } from '../service/eventSchedule';
import { isRecord } from '../shared/jsonFields';
import { eventHashOf, eventIdOf } from '../service/recordFields';
import { meansEmptyList } from '../service/responseParsing';
import {
	readPages,
	readTimeRange,
	WHOLE_LIST,
	type ReadLimits,
	type TimeSortedList,
} from '../service/timeSortedList';
import { eventsNotFoundError, type EventsNotFound } from './eventsNotFound';
import type { Listing } from './pollSource';
import type { TriggerSettings } from './settings';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The events that the trigger watches, in the order of their schedule, read with as few requests as the options allow.
 *
 * @param state what is known of them; undefined for a manual test
 * @throws NodeApiError when a page cannot be read, when a manual test reads a hash that the service does not find, or when
 * nothing is known and the service finds no hash; NodeOperationError when dates are needed and cannot be read
 */
export async function watchedEvents(
	context: IPollFunctions,
	{ planId, hashes, withinDays }: TriggerSettings,
	state?: PollState,
	limits: ReadLimits = WHOLE_LIST,
): Promise<Listing> {
	const span = withinDays === undefined ? undefined : spanAround(withinDays);
	const list = eventList(context, planId);
	const listing: Listing =
		hashes.length > 0
			? sortedByTime(await eventsByHash(context, planId, hashes, limits), list)
			: span
				? await readTimeRange(list, { from: () => span.from }, limits, state?.order)
				: await readPages(list.defaultOrder, limits);
	const { notFound, records: read } = listing;
	const isFirst = state?.baseline !== undefined && state.items.length === 0;
	if (notFound && (state === undefined || (isFirst && read.length === 0)))
		throw eventsNotFoundError(context, notFound);
	if (!span || listing.records.length === 0) return listing;

	const times = listing.records.map(list.timeOf);
	if (times.every((time) => time === undefined)) {
		throw new NodeOperationError(
			context.getNode(),
			'The events have no readable date, so Scheduled Within Days cannot be applied. Remove this option',
		);
	}
	// An event without a date on a page that was read is kept: one event too many is better than one lost.
	const isWithin = (time = span.from) => time >= span.from && time <= span.to;
	return { ...listing, records: listing.records.filter((_record, index) => isWithin(times[index])) };
}

/** What identifies an event in its plan; undefined when its record has neither hash nor ID. */
export function eventIdentityOf(event: IDataObject): Identity | undefined {
	const hash = eventHashOf(event);
	const id = eventIdOf(event);
	if (hash === undefined && id === undefined) return undefined;
	return { hash, id: id === undefined ? undefined : `eventId ${id}` };
}

async function eventsByHash(
	context: IPollFunctions,
	planId: string,
	hashes: string[],
	{ firstPage, hasTimeLeft }: ReadLimits,
): Promise<Listing> {
	const records: IDataObject[] = [];
	const notFound: EventsNotFound = { hashes: [] };
	const listing = () => ({ records, ...(notFound.hashes.length > 0 ? { notFound } : {}) });
	for (const [index, hash] of hashes.entries()) {
		const page = index + 1;
		if (page < firstPage) continue;
		if (page > firstPage && !hasTimeLeft()) return { ...listing(), nextPage: page };
		try {
			const event = await eventByHash(context, planId, hash);
			if (isWebPage(event)) throw await webPageError(context);
			// Parsed JSON: an object is an IDataObject.
			if (isRecord(event)) records.push({ ...(eventHashOf(event) ? {} : { hash }), ...event });
			else notFound.hashes.push(hash);
		} catch (error) {
			if (!isNotFound(error)) throw toNodeError(context, error);
			notFound.hashes.push(hash);
			notFound.reason = error;
		}
	}
	return listing();
}

/** A 404, or a 2xx response whose error message reports that there is no such event. */
function isNotFound(error: unknown): error is NodeApiError {
	if (!(error instanceof NodeApiError)) return false;
	const [message = ''] = error.message.split('.', 1);
	return error.httpCode === '404' || (hasStatus(error, /^200$/) && meansEmptyList(message, 'events'));
}

function sortedByTime(listing: Listing, { timeOf }: TimeSortedList): Listing {
	const { records } = listing;
	return {
		...listing,
		records: records.sort((a, b) => (timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0),
	};
}

async function webPageError(context: IPollFunctions): Promise<NodeApiError> {
	return await unreadableResponseError(
		context,
		{ method: 'GET', path: 'events/searchByHash' },
		'The service returned a web page instead of an event. Try again later; if it happens again, check the Base URL in the credential.',
	);
}

function spanAround(days: number): { from: number; to: number } {
	const now = Date.now();
	return { from: now - days * DAY_MS, to: now + days * DAY_MS };
}
