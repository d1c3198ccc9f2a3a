import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { eventPages } from '../../service/events';
import { EVENT_STATUSES, eventStatusOptions } from '../../service/eventStatuses';
import { firstRecords, PAGE_SIZE } from '../../service/paging';
import { eventStatusOf } from '../../service/responseParsing';
import { withMarkedSecrets, withoutSecrets } from '../../service/secrets';
import { includeSecretOption, planIdField, returnAllFields, optionsField } from '../fields';
import type { Operation } from '../operation';
import { toText, invalidParameter, limitParameter, planIdParameter } from '../parameters';

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
			description: 'Return only events in one of these states. Leave it empty for all.',
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
		const options = context.getNodeParameter('options', itemIndex, {}) as {
			includeSecret?: boolean;
			orderBy?: string;
			orderType?: string;
			status?: unknown;
		};

		const statuses = statusesOf(options.status);
		const unknown = statuses.find((status) => !EVENT_STATUSES.includes(status));
		if (unknown !== undefined) {
			throw invalidParameter(
				context,
				itemIndex,
				`Status "${unknown}" is not one of ${EVENT_STATUSES.join(', ')}`,
			);
		}
		const planId = await planIdParameter(context, itemIndex);
		const readPage = eventPages(context, {
			planId,
			orderBy: options.orderBy || undefined,
			orderType: options.orderType || undefined,
			quantity: statuses.length > 0 ? PAGE_SIZE : Math.min(limit, PAGE_SIZE),
			itemIndex,
		});
		const events = await firstRecords(
			readPage,
			limit,
			(event) => statuses.length === 0 || statuses.includes(eventStatusOf(event) ?? ''),
		);
		return options.includeSecret === true ? withMarkedSecrets(events) : withoutSecrets(events);
	},
};

/** The list as the panel gives it, or a text with one or several separated by commas, as expressions and agents do. */
function statusesOf(option: unknown): string[] {
	const parts: unknown[] = Array.isArray(option) ? option : toText(option).split(',');
	return parts.map((part) => toText(part).toUpperCase()).filter((status) => status !== '');
}
