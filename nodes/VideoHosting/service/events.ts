import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { firstText, isRecord } from '../shared/jsonFields';
import type { ServiceContext } from '../transport/credential';
import { toNodeError, unreadableResponseError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';
import { eventPages } from './eventPages';
import { documentedStatus, eventStatusOf } from './eventStatuses';
import { dateScheduledOf, eventHashOf, eventIdOf } from './recordFields';
import { containsNoRecord, extractRecord, isNotFoundError } from './responseParsing';
import { serviceTime } from './serviceDate';
import type { TimeSortedList } from './timeSortedList';

const SEARCH: ServiceRequest = { method: 'GET', path: path('events', 'searchByHash') };

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash), without the wrapping that a response may
 * have. Anything else is returned as it is.
 *
 * @throws NodeApiError when the request fails
 */
export async function eventByHash(context: ServiceContext, planId: string, hash: string): Promise<unknown> {
	const response = await requestJson(context, {
		...SEARCH,
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
	});
	return extractRecord(response, 'event');
}

/**
 * Looks up the event with this hash. Only JSON of the service shows that it does not exist.
 *
 * @returns `event`: undefined when it does not exist; `reason`: the error with which the service reported that, if it was one
 * @throws NodeApiError when the request fails, or when the response is neither an event nor an empty record
 */
export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ event?: IDataObject; reason?: NodeApiError }> {
	let response: unknown;
	try {
		response = await eventByHash(context, planId, hash);
	} catch (error) {
		if (isNotFoundError(error, 'events')) return { reason: error };
		throw toNodeError(context, error);
	}
	if (isRecord(response) && isEvent(response)) return { event: response };
	if (containsNoRecord(response, 'event')) return {};
	throw await unreadableResponseError(
		context,
		SEARCH,
		'The service returned something else instead of an event.',
	);
}

/** Whether a record is that of an event. A name alone shows nothing: `{ "name": …, "message": … }` is an error. */
function isEvent(record: IDataObject): boolean {
	const title = firstText(record, ['title', 'eventtitle']);
	const texts = [eventHashOf(record), eventIdOf(record), title, dateScheduledOf(record)];
	return (
		texts.some((text) => text !== undefined) || documentedStatus(eventStatusOf(record) ?? '') !== undefined
	);
}

/**
 * The events of a plan, sorted by their schedule.
 *
 * @param timeZone of dates without an offset; by default the workflow's, in which Event → Create writes them by default
 */
export function eventList(
	context: ServiceContext,
	planId: string,
	timeZone = context.getTimezone(),
): TimeSortedList {
	return {
		newestFirst: eventPages(context, { planId, orderType: 'DESC' }),
		defaultOrder: eventPages(context, { planId }),
		timeOf: scheduledTimeIn(timeZone),
		idOf: eventIdOf,
	};
}

/**
 * A function that returns when an event takes place, in milliseconds since the epoch; undefined when its record has no date
 * or one that {@link serviceTime} cannot read.
 *
 * @param timeZone of dates without an offset
 */
export function scheduledTimeIn(timeZone: string): TimeSortedList['timeOf'] {
	return (event) => serviceTime(dateScheduledOf(event), timeZone);
}
