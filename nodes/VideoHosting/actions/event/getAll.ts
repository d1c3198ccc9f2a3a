import { NodeOperationError, updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { readParameter } from '../../parameters/readParameter';
import { toChoices } from '../../parameters/values';
import { eventPages } from '../../service/events';
import { EVENT_STATUSES, eventStatusOptions } from '../../service/eventStatuses';
import { firstRecords, PAGE_SIZE } from '../../service/paging';
import { eventStatusOf } from '../../service/responseParsing';
import { withMarkedSecrets, withoutSecrets } from '../../service/secrets';
import { StatusCheck } from '../../service/statusCheck';
import { includeSecretOption, planIdField, returnAllFields, optionsField } from '../fields';
import type { Operation } from '../operation';
import { booleanParameter, limitParameter, planIdParameter, textParameter } from '../parameters';

const properties: INodeProperties[] = [
	planIdField,
	...returnAllFields,
	optionsField([
		includeSecretOption,
		{
			displayName: 'Order By',
			name: 'orderBy',
			type: 'string',
			default: 'date',
			placeholder: 'e.g. date',
			description:
				'Field the service sorts the events by. The service documents "date" only; other names are passed on as they are.',
		},
		{
			displayName: 'Order Type',
			name: 'orderType',
			type: 'string',
			default: 'ASC',
			placeholder: 'e.g. ASC',
			description:
				'Direction the service sorts in. The service documents "ASC" only; other values, such as DESC, are passed on as they are.',
		},
		{
			displayName: 'Status',
			name: 'status',
			type: 'multiOptions',
			options: eventStatusOptions,
			default: [],
			description: 'Statuses of the events to return. Leave it empty for all.',
		},
	]),
];

/**
 * See docs/api-reference.md#search-all-events. The service has no filter by status, so events are read until enough
 * of them match.
 */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many events of a plan',
		action: 'Get many events',
	},
	properties: updateDisplayOptions({ show: { resource: ['event'], operation: ['getAll'] } }, properties),
	async execute(context, itemIndex) {
		const limit = limitParameter(context, itemIndex);
		const includeSecret = booleanParameter(context, itemIndex, 'options.includeSecret', 'Include Secret');
		const orderBy = textParameter(context, itemIndex, 'options.orderBy', 'Order By');
		const orderType = textParameter(context, itemIndex, 'options.orderType', 'Order Type');
		const statuses = readParameter(context, itemIndex, 'options.status', (value) =>
			toChoices('Status', value, EVENT_STATUSES),
		);
		const planId = await planIdParameter(context, itemIndex);
		const readPage = eventPages(context, {
			planId,
			orderBy: orderBy || undefined,
			orderType: orderType || undefined,
			quantity: statuses.length > 0 ? PAGE_SIZE : Math.min(limit, PAGE_SIZE),
			itemIndex,
		});
		const check = new StatusCheck();
		const events = await firstRecords(readPage, limit, (event) => {
			if (statuses.length === 0) return true;
			check.add(event);
			return statuses.includes(eventStatusOf(event) ?? '');
		});
		const problem = check.problem();
		if (problem) {
			const { message, description } = problem;
			throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
		}
		return includeSecret ? withMarkedSecrets(events) : withoutSecrets(events);
	},
};
