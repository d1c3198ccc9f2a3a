import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { toDate } from '../../parameters/dates';
import { readParameter } from '../../parameters/readParameter';
import { createdRange } from '../../service/createdRange';
import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../transport/secrets';
import { videoPages, type VideoListQuery } from '../../service/videos';
import { planIdField, returnAllFields } from '../fields';
import type { Operation } from '../operation';
import { choiceParameter, limitParameter, planIdParameter, textParameter } from '../parameters';

/** See docs/api-reference.md#list-videos. */
const ORDER_BY = ['created_date', 'name'];

const properties: INodeProperties[] = [
	planIdField,
	...returnAllFields,
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: [
			{
				displayName: 'Created From',
				name: 'initialDate',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-01-01',
				description:
					'Start of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
			},
			{
				displayName: 'Created Until',
				name: 'endDate',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2026-12-31',
				description:
					'End of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
			},
			{
				displayName: 'Name',
				name: 'name',
				type: 'string',
				default: '',
				placeholder: 'e.g. interview',
				description: 'Return only videos that the service finds by this name',
			},
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
		],
	},
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
		const { includes, ...dates } = createdRange(
			readParameter(context, itemIndex, 'filters.initialDate', (value) => toDate('Created From', value)),
			readParameter(context, itemIndex, 'filters.endDate', (value) => toDate('Created Until', value)),
			context.getTimezone(),
		);
		const query: VideoListQuery = {
			name: textParameter(context, itemIndex, 'filters.name', 'Name') || undefined,
			...dates,
			orderBy: choiceParameter(context, itemIndex, 'filters.orderBy', 'Order By', ORDER_BY),
			sort: textParameter(context, itemIndex, 'filters.sort', 'Sort Direction') || undefined,
		};
		const planId = await planIdParameter(context, itemIndex);
		const videos = await firstRecords(videoPages(context, planId, query, itemIndex), limit, includes);
		return withoutSecrets(videos);
	},
};
