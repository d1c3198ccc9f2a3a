import { NodeOperationError } from 'n8n-workflow';

import { eventByHash } from '../../service/events';
import { containsNoRecord } from '../../service/responseParsing';
import type { Item } from '../item';

/**
 * One event by its hash, as the service returns it.
 *
 * @throws NodeOperationError when the plan has no such event; NodeApiError when the request fails
 */
export async function eventRecord(item: Item, planId: string, hash: string): Promise<unknown> {
	const { context, itemIndex } = item;
	const event = await eventByHash(context, planId, hash, itemIndex);
	if (event === '' || containsNoRecord(event, 'event')) throw noEventError(item, planId, hash);
	return event;
}

/** The error for a hash that no event of the plan has. */
export function noEventError(item: Item, planId: string, hash: string): NodeOperationError {
	const message = `The plan ${planId} has no event with the hash "${hash}"`;
	return item.error(message, 'Check Event and Plan ID.');
}
