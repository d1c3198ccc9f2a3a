import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import { quoted } from '../../parameters/values';
import { eventByHash } from '../../service/events';
import { eventIdOf } from '../../service/recordFields';
import { containsNoRecord } from '../../service/responseParsing';
import { chosenEvent, eventField, includeSecretOption, planIdOption } from '../fields';
import type { Item } from '../item';
import type { Operation } from '../operation';

/** See docs/api-reference.md#search-an-event-by-hash. */
export const get: Operation = {
	name: 'Get',
	description: 'Get an event by its hash or title',
	action: 'Get event',
	parameters: [eventField, includeSecretOption, planIdOption],
	async execute(item) {
		item.showsSecrets = item.read(includeSecretOption);
		const { planId, hash } = await chosenEvent(item);
		return await eventRecord(item, planId, hash);
	},
};

/**
 * One event by its hash, as the service returns it.
 *
 * @throws NodeOperationError when the plan has no such event; NodeApiError when the request fails
 */
export async function eventRecord(item: Item, planId: string, hash: string): Promise<unknown> {
	const event = await eventByHash(item.context, planId, hash);
	if (event === '' || containsNoRecord(event, 'event')) throw noEventError(item, planId, hash);
	return event;
}

/**
 * The numeric ID of an event.
 *
 * @throws NodeOperationError with this advice when its record contains none
 */
export function requiredEventId(item: Item, event: IDataObject, hash: string, advice: string): number {
	const eventId = eventIdOf(event);
	if (eventId !== undefined) return eventId;
	throw item.error(`The record of the event ${quoted(hash)} contains no numeric ID`, advice);
}

/** The error for a hash that no event of the plan has. */
export function noEventError(
	item: Item,
	planId: string,
	hash: string,
	advice = 'Check Event and Plan ID.',
): NodeOperationError {
	return item.error(`The plan ${planId} has no event with the hash ${quoted(hash)}`, advice);
}
