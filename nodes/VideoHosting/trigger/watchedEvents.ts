import type { IDataObject, IPollFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { Identity } from '../changes/knownItems';
import type { PollState } from '../changes/pollState';
import { isWebPage } from '../service/errorResponse';
import { toNodeError, unreadableResponseError } from '../service/errors';
import { eventByHash } from '../service/events';
import { eventList } from '../service/eventSchedule';
import { isRecord } from '../service/jsonFields';
import { eventHashOf, eventIdOf } from '../service/recordFields';
import {
	readPages,
	readTimeRange,
	type ListResult,
	type ReadLimits,
	type TimeSortedList,
} from '../service/timeSortedList';
import type { TriggerSettings } from './settings';

const DAY_MS = 24 * 60 * 60 * 1000;

const WHOLE_LIST: ReadLimits = { firstPage: 1, hasTimeLeft: () => true };

/**
 * The events that the trigger watches, in the order of their schedule, read with as few requests as the options allow.
 *
 * @param state what is known of them; undefined for a manual test. While nothing is known, a list of hashes of which the
 * service knows none is an error
 * @throws NodeApiError when a page cannot be read; NodeOperationError when dates are needed and cannot be read
 */
export async function watchedEvents(
	context: IPollFunctions,
	{ planId, hashes, withinDays }: TriggerSettings,
	state?: PollState,
	limits: ReadLimits = WHOLE_LIST,
): Promise<ListResult> {
	const span = withinDays === undefined ? undefined : spanAround(withinDays);
	const list = eventList(context, planId);
	const isBaseline = state === undefined || (state.baseline !== undefined && state.items.length === 0);
	const listing =
		hashes.length > 0
			? sortedByTime(await eventsByHash(context, planId, hashes, limits, isBaseline), list)
			: span
				? await readTimeRange(list, { from: () => span.from, to: span.to }, limits)
				: await readPages(list.defaultOrder, limits);
	if (!span || listing.records.length === 0) return listing;

	const times = listing.records.map(list.timeOf);
	if (times.every((time) => time === undefined)) {
		throw new NodeOperationError(
			context.getNode(),
			'The events have no date that can be read, so Scheduled Within Days cannot be applied. Remove this option',
		);
	}
	// An event without a date is kept: one event too many is better than one lost.
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
	isBaseline: boolean,
): Promise<ListResult> {
	const records: IDataObject[] = [];
	let notFound: NodeApiError | undefined;
	for (const [index, hash] of hashes.entries()) {
		const page = index + 1;
		if (page < firstPage) continue;
		if (page > firstPage && !hasTimeLeft()) return { records, nextPage: page };
		try {
			const event = await eventByHash(context, planId, hash);
			if (isWebPage(event)) throw await webPageError(context);
			// Parsed JSON: an object is an IDataObject.
			if (isRecord(event)) records.push({ ...(eventHashOf(event as IDataObject) ? {} : { hash }), ...event });
		} catch (error) {
			if (!(error instanceof NodeApiError) || error.httpCode !== '404') throw toNodeError(context, error);
			notFound = error;
		}
	}
	if (isBaseline && notFound && records.length === 0) throw notFound;
	return { records };
}

function sortedByTime({ records, nextPage }: ListResult, { timeOf }: TimeSortedList): ListResult {
	return {
		records: records.sort((a, b) => (timeOf(a) ?? Infinity) - (timeOf(b) ?? Infinity) || 0),
		nextPage,
	};
}

async function webPageError(context: IPollFunctions): Promise<NodeApiError> {
	return await unreadableResponseError(
		context,
		{ method: 'GET', path: 'events/searchByHash' },
		'The service returned a web page instead of an event. Try again later. If it happens again, check the Base URL in the credential.',
	);
}

function spanAround(days: number): { from: number; to: number } {
	const now = Date.now();
	return { from: now - days * DAY_MS, to: now + days * DAY_MS };
}
