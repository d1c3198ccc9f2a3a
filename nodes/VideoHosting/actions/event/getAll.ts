import {
	NodeOperationError,
	updateDisplayOptions,
	type IDataObject,
	type INodeProperties,
} from 'n8n-workflow';

import { readParameter } from '../../parameters/readParameter';
import { toChoices } from '../../parameters/values';
import { eventPages } from '../../service/eventPages';
import { EVENT_STATUSES, eventStatusOptions } from '../../service/eventStatuses';
import { firstRecords, PAGE_SIZE } from '../../service/paging';
import { eventStatusOf } from '../../service/recordFields';
import { withMarkedSecrets, withoutSecrets } from '../../transport/secrets';
import { StatusCheck } from '../../service/statusCheck';
import { includeSecretOption, planIdField, returnAllFields, optionsField } from '../fields';
import type { Operation } from '../operation';
import { booleanParameter, limitParameter, planIdParameter, textParameter } from '../parameters';
import { eventsInRange, scheduleRange } from './scheduleRange';

const properties: INodeProperties[] = [
	planIdField,
	...returnAllFields,
	optionsField([
		includeSecretOption,
		{
			displayName: 'Order By',
			name: 'orderBy',
			type: 'options',
			options: [{ name: 'Date', value: 'date' }],
			default: 'date',
			description:
				'Field by which the service sorts the events. Only the date is documented; enter another field as an expression.',
		},
		{
			displayName: 'Scheduled After',
			name: 'scheduledAfter',
			type: 'dateTime',
			default: '',
			description:
				'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
		},
		{
			displayName: 'Scheduled Before',
			name: 'scheduledBefore',
			type: 'dateTime',
			default: '',
			description:
				'Return only events scheduled before this time; a date alone is the beginning of that day. A date without an offset is interpreted in the time zone of the workflow.',
		},
		{
			displayName: 'Sort Direction',
			name: 'orderType',
			type: 'options',
			options: [
				{ name: 'Ascending', value: 'ASC' },
				{ name: 'Descending', value: 'DESC' },
			],
			default: 'ASC',
			description: 'Sort direction. Enter another value as an expression.',
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
 * See docs/api-reference.md#search-all-events. The service has no filter by status or date, so events are read until enough
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
		const orderType = textParameter(context, itemIndex, 'options.orderType', 'Sort Direction');
		const statuses = readParameter(context, itemIndex, 'options.status', (value) =>
			toChoices('Status', value, EVENT_STATUSES),
		);
		const range = scheduleRange(context, itemIndex);
		const planId = await planIdParameter(context, itemIndex);
		const query = { planId, orderBy: orderBy || undefined, orderType: orderType || undefined, itemIndex };
		const check = new StatusCheck();
		const matches = (event: IDataObject) => {
			if (statuses.length === 0) return true;
			check.add(event);
			return statuses.includes(eventStatusOf(event) ?? '');
		};
		const events = range
			? await eventsInRange(context, query, range, limit, matches)
			: await firstRecords(
					eventPages(context, {
						...query,
						quantity: statuses.length > 0 ? PAGE_SIZE : Math.min(limit, PAGE_SIZE),
					}),
					limit,
					matches,
				);
		const problem = check.problem();
		if (problem) {
			const { message, description } = problem;
			throw new NodeOperationError(context.getNode(), message, { description, itemIndex });
		}
		return includeSecret ? withMarkedSecrets(events) : withoutSecrets(events);
	},
};
