import type { IDataObject, NodeApiError } from 'n8n-workflow';

import { isRecord } from '../shared/jsonFields';
import type { ServiceContext } from '../transport/credential';
import { toNodeError, unreadableResponseError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';
import { isEvent } from './recordFields';
import { containsNoRecord, extractRecord, isNotFoundError } from './responseParsing';

const SEARCH: ServiceRequest = { method: 'GET', path: path('events', 'searchByHash') };

/**
 * One event by its hash (docs/api-reference.md#search-an-event-by-hash), without the wrapping that a response may
 * have. Anything else is returned as it is.
 *
 * @throws NodeApiError when the request fails
 */
export async function eventByHash(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex?: number,
): Promise<unknown> {
	const response = await requestJson(context, {
		...SEARCH,
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return extractRecord(response, 'event');
}

/**
 * The event with this hash, or that there is none: only JSON of the service proves that.
 *
 * @returns `event`: undefined when there is none; `reason`: the error by which the service said so, if it was one
 * @throws NodeApiError when the request fails, or when the response is neither an event nor an empty record
 */
export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex?: number,
): Promise<{ event?: IDataObject; reason?: NodeApiError }> {
	let response: unknown;
	try {
		response = await eventByHash(context, planId, hash, itemIndex);
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
