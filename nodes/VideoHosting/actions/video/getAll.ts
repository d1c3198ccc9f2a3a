import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../transport/secrets';
import { videoPages, type VideoListQuery } from '../../service/videos';
import { filtersField, optionsField, planIdOption, returnAllFields } from '../fields';
import type { Operation } from '../operation';
import {
	choiceParameter,
	dateFilterParameter,
	limitParameter,
	planIdParameter,
	textParameter,
} from '../parameters';

/** See docs/api-reference.md#list-videos. */
const ORDER_BY = ['created_date', 'name'];

const properties: INodeProperties[] = [
	...returnAllFields,
	filtersField(
		{
			displayName: 'Created From',
			name: 'initialDate',
			type: 'dateTime',
			default: '',
			description:
				'Start of the range on the creation date. The service receives a date alone as YYYY-MM-DD, and any other date as YYYY-MM-DD HH:mm:ss. A date with an offset is converted to the time zone of the workflow.',
		},
		{
			displayName: 'Created Until',
			name: 'endDate',
			type: 'dateTime',
			default: '',
			description:
				'End of the range on the creation date. The service receives a date alone as YYYY-MM-DD, and any other date as YYYY-MM-DD HH:mm:ss. A date with an offset is converted to the time zone of the workflow.',
		},
		{
			displayName: 'Name',
			name: 'name',
			type: 'string',
			default: '',
			placeholder: 'e.g. interview',
			description: 'Return only videos that the service finds by this name',
		},
	),
	optionsField(
		{
			displayName: 'Order By',
			name: 'orderBy',
			type: 'options',
			options: [
				{ name: 'Created Date', value: 'created_date' },
				{ name: 'Name', value: 'name' },
			],
			default: 'created_date',
			description: 'Field by which the service sorts the videos',
		},
		planIdOption,
		{
			displayName: 'Sort Direction',
			name: 'sort',
			type: 'options',
			options: [
				{ name: 'Ascending', value: 'ASC' },
				{ name: 'Descending', value: 'DESC' },
			],
			default: 'DESC',
			description:
				'Sort direction. The service does not document the values; enter another one as an expression.',
		},
	),
];

/** See docs/api-reference.md#list-videos. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many videos of a plan',
		action: 'Get many videos',
	},
	properties: updateDisplayOptions({ show: { resource: ['video'], operation: ['getAll'] } }, properties),
	async execute(context, itemIndex) {
		const limit = limitParameter(context, itemIndex);
		const query: VideoListQuery = {
			name: textParameter(context, itemIndex, 'filters.name', 'Name') || undefined,
			initialDate: dateFilterParameter(context, itemIndex, 'filters.initialDate', 'Created From'),
			endDate: dateFilterParameter(context, itemIndex, 'filters.endDate', 'Created Until'),
			orderBy: choiceParameter(context, itemIndex, 'options.orderBy', 'Order By', ORDER_BY),
			sort: textParameter(context, itemIndex, 'options.sort', 'Sort Direction') || undefined,
		};
		const planId = await planIdParameter(context, itemIndex);
		return withoutSecrets(await firstRecords(videoPages(context, planId, query, itemIndex), limit));
	},
};
