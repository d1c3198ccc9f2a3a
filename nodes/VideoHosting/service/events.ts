import { path, requestJson } from '../transport/request';
import type { ServiceContext } from '../transport/credential';
import { extractRecord } from './responseParsing';

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
		method: 'GET',
		path: path('events', 'searchByHash'),
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return extractRecord(response, 'event');
}
