import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { eventByHash } from '../../service/events';
import { withoutSecrets } from '../../service/records';
import { eventField, eventHashOfParameter, includeSecretOption, planIdField, planIdOf } from '../fields';
import type { Operation } from '../operation';

const properties: INodeProperties[] = [
	planIdField,
	eventField,
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [includeSecretOption],
	},
];

/** Reference 6. */
export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		description: 'Get an event by its hash',
		action: 'Get an event',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['get'] } }, properties),
	async execute(context, itemIndex) {
		const hash = eventHashOfParameter(context, itemIndex);
		const planId = await planIdOf(context, itemIndex);
		const event = await eventByHash(context, planId, hash, itemIndex);
		return context.getNodeParameter('options.includeSecret', itemIndex, false) === true
			? event
			: withoutSecrets(event);
	},
};
