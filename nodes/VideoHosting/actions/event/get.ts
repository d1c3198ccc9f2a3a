import type { NodeOperationError } from 'n8n-workflow';

import { quoted } from '../../parameters/values';
import { findEvent, findEventWithId } from '../../service/events';
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
 * The event with this hash and its numeric ID.
 *
 * @param advice for a record that contains no ID
 * @throws NodeOperationError when the plan has no such event, or its record contains no ID
 */
export async function eventWithId(item: Item, planId: string, hash: string, advice: string) {
	const event = await findEventWithId(item.context, planId, hash);
	if (!event) throw noEventError(item, planId, hash);
	const eventId = eventIdOf(event);
	if (eventId !== undefined) return { event, eventId };
	throw item.error(`The record of the event ${quoted(hash)} contains no numeric ID`, advice);
}

function noEventError(item: Item, planId: string, hash: string): NodeOperationError {
	const message = `The plan ${planId} has no event with the hash ${quoted(hash)}`;
	return item.error(message, 'Check Event and Plan ID.');
}
