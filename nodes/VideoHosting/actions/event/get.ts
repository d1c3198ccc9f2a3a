import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toRecordReference } from '../../parameters/identifiers';
import { toFlag, toText } from '../../parameters/values';
import { planOrDefault } from '../../service/plan';
import { resolveEvent } from '../../service/recordByName';
import { withMarkedSecrets, withoutSecrets } from '../../transport/secrets';
import { eventField, includeSecretOption, planIdOption, optionsField } from '../fields';
import type { Operation } from '../operation';
import { eventRecord } from './eventRecord';

const properties: INodeProperties[] = [eventField, optionsField(includeSecretOption, planIdOption)];

/** See docs/api-reference.md#search-an-event-by-hash. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get an event by its hash or title',
		action: 'Get event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['get'] } }, properties),
	async execute(item) {
		const { context, itemIndex, option, read } = item;
		const chosen = read(eventField, toRecordReference);
		const includeSecret = option(includeSecretOption, toFlag);
		const ownPlanId = option(planIdOption, toText);
		const hash = await resolveEvent(context, chosen, ownPlanId, itemIndex);
		const planId = await planOrDefault(context, ownPlanId, itemIndex);
		const event = await eventRecord(context, itemIndex, planId, hash);
		return includeSecret ? withMarkedSecrets(event) : withoutSecrets(event);
	},
};
