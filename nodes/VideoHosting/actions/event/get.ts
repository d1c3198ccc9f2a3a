import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { eventByHash } from '../../service/events';
import { withMarkedSecrets, withoutSecrets } from '../../transport/secrets';
import { eventField, includeSecretOption, planIdField, optionsField } from '../fields';
import type { Operation } from '../operation';
import { booleanParameter, eventHashParameter, planIdParameter } from '../parameters';

const properties: INodeProperties[] = [planIdField, eventField, optionsField([includeSecretOption])];

/** See docs/api-reference.md#search-an-event-by-hash. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get an event by its hash',
		action: 'Get an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['get'] } }, properties),
	async execute(context, itemIndex) {
		const hash = eventHashParameter(context, itemIndex);
		const includeSecret = booleanParameter(context, itemIndex, 'options.includeSecret', 'Include Secret');
		const planId = await planIdParameter(context, itemIndex);
		const event = await eventByHash(context, planId, hash, itemIndex);
		const isMissing = event === null || event === '' || (Array.isArray(event) && event.length === 0);
		if (isMissing) {
			throw new NodeOperationError(
				context.getNode(),
				`The plan ${planId} has no event with the hash "${hash}"`,
				{
					itemIndex,
					description: 'Check Event and Plan ID.',
				},
			);
		}
		return includeSecret ? withMarkedSecrets(event) : withoutSecrets(event);
	},
};
