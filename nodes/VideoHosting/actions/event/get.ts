import { existingEvent } from '../../service/events';
import { chosenEvent, eventField, includeSecretOption, planIdOption } from '../fields';
import type { Operation } from '../operation';

/** See docs/api-reference.md#search-an-event-by-hash. */
export const get: Operation = {
	name: 'Get',
	description: 'Get an event by its hash, title or External ID',
	action: 'Get live event',
	parameters: [eventField, includeSecretOption, planIdOption],
	async execute(item) {
		item.showsSecrets = item.read(includeSecretOption);
		const { planId, hash } = await chosenEvent(item);
		return (await existingEvent(item.context, planId, hash)).record;
	},
};
