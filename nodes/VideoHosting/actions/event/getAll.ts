import { updateDisplayOptions, type IDataObject, type INodeProperties } from 'n8n-workflow';

import { toChoices, toFlag, toText } from '../../parameters/values';
import { eventPages } from '../../service/eventPages';
import {
	EVENT_STATUSES,
	eventStatusOf,
	eventStatusOptions,
	undocumentedStatusError,
} from '../../service/eventStatuses';
import { firstRecords, PAGE_SIZE } from '../../service/paging';
import { withMarkedSecrets, withoutSecrets } from '../../transport/secrets';
import {
	filtersField,
	includeSecretOption,
	limitField,
	optionsField,
	planIdOption,
	returnAllField,
} from '../fields';
import type { Operation } from '../operation';
import { limitOf, planIdOf } from '../parameters';
import { eventsInRange, scheduledAfterFilter, scheduledBeforeFilter, scheduleRange } from './scheduleRange';

const statusFilter: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'multiOptions',
	options: eventStatusOptions,
	default: [],
	description: 'Statuses of the events to return. Leave it empty for all.',
};

const orderByOption: INodeProperties = {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'options',
	options: [{ name: 'Date', value: 'date' }],
	default: 'date',
	description:
		'Field by which the service sorts the events. Only the date is documented; enter another field as an expression.',
};

const orderTypeOption: INodeProperties = {
	displayName: 'Sort Direction',
	name: 'orderType',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'ASC' },
		{ name: 'Descending', value: 'DESC' },
	],
	default: 'ASC',
	description: 'Sort direction. Enter another value as an expression.',
};

const properties: INodeProperties[] = [
	returnAllField,
	limitField,
	filtersField(scheduledAfterFilter, scheduledBeforeFilter, statusFilter),
	optionsField(includeSecretOption, orderByOption, planIdOption, orderTypeOption),
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
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const includeSecret = item.option(includeSecretOption, toFlag);
		const orderBy = item.option(orderByOption, toText);
		const orderType = item.option(orderTypeOption, toText);
		const statuses = item.filter(statusFilter, (label, value) => toChoices(label, value, EVENT_STATUSES));
		const range = scheduleRange(item);
		const planId = await planIdOf(item);
		const query = { planId, orderBy: orderBy || undefined, orderType: orderType || undefined, itemIndex };
		const checked: IDataObject[] = [];
		const matches = (event: IDataObject) => {
			if (statuses.length === 0) return true;
			checked.push(event);
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
		const error = undocumentedStatusError(context, checked, itemIndex);
		if (error) throw error;
		return includeSecret ? withMarkedSecrets(events) : withoutSecrets(events);
	},
};
