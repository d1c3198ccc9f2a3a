import { planOrDefault } from '../../service/plan';
import { resolveEvent } from '../../service/recordByName';
import { withMarkedSecrets, withoutSecrets } from '../../transport/secrets';
import { eventField, includeSecretOption, planIdOption } from '../fields';
import type { Operation } from '../operation';
import { eventRecord } from './eventRecord';

/** See docs/api-reference.md#search-an-event-by-hash. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get an event by its hash or title',
		action: 'Get event',
	},
	parameters: [eventField, includeSecretOption, planIdOption],
	async execute(item) {
		const { context, itemIndex } = item;
		const chosen = item.read(eventField);
		const includeSecret = item.read(includeSecretOption);
		const ownPlanId = item.read(planIdOption);
		const hash = await resolveEvent(context, chosen, ownPlanId, itemIndex);
		const planId = await planOrDefault(context, ownPlanId, itemIndex);
		const event = await eventRecord(item, planId, hash);
		return includeSecret ? withMarkedSecrets(event) : withoutSecrets(event);
	},
};
