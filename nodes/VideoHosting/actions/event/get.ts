import type { IDataObject, NodeOperationError } from 'n8n-workflow';

import { quoted } from '../../parameters/values';
import { findEvent } from '../../service/events';
import { eventIdOf } from '../../service/recordFields';
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
		const event = await findEvent(item.context, planId, hash);
		if (event) return event;
		throw noEventError(item, planId, hash);
	},
};

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
