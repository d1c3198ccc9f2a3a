import {
	NodeOperationError,
	updateDisplayOptions,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { toDate } from '../../parameters/dates';
import { toListed, toText } from '../../parameters/values';
import { isInFolder } from '../../service/recordFields';
import { folderRecord } from '../folder/folderRecord';
import { firstRecords } from '../../service/paging';
import { withoutSecrets } from '../../transport/secrets';
import { createdRange, videoPages, type VideoListQuery } from '../../service/videos';
import { folderField } from '../../parameters/locators';
import { filtersField, limitField, optionsField, planIdOption, returnAllField } from '../fields';
import type { Operation } from '../operation';
import { limitOf, planIdOf, toOptionalFolder } from '../parameters';

const createdFromFilter: INodeProperties = {
	displayName: 'Created From',
	name: 'initialDate',
	type: 'dateTime',
	default: '',
	description:
		'Start of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
};

const createdUntilFilter: INodeProperties = {
	displayName: 'Created Until',
	name: 'endDate',
	type: 'dateTime',
	default: '',
	description:
		'End of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
};

const folderFilter: INodeProperties = {
	...folderField,
	required: false,
	description:
		'Return only videos in this folder, from the list or by its UUID or exact name. Videos are read until enough of them are in it.',
};

const nameFilter: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. interview',
	description: 'Return only videos that the service finds by this name',
};

const orderByOption: INodeProperties = {
	displayName: 'Order By',
	name: 'orderBy',
	type: 'options',
	options: [
		{ name: 'Created Date', value: 'created_date' },
		{ name: 'Name', value: 'name' },
	],
	default: 'created_date',
	description: 'Field by which the service sorts the videos',
};

const sortOption: INodeProperties = {
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
};

const properties: INodeProperties[] = [
	returnAllField,
	limitField,
	filtersField(createdFromFilter, createdUntilFilter, folderFilter, nameFilter),
	optionsField(orderByOption, planIdOption, sortOption),
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
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const { includes, ...dates } = createdRange(
			item.filter(createdFromFilter, toDate),
			item.filter(createdUntilFilter, toDate),
			context.getTimezone(),
		);
		const query: VideoListQuery = {
			name: item.filter(nameFilter, toText) || undefined,
			...dates,
			orderBy: item.option(orderByOption, toListed),
			sort: item.option(sortOption, toText) || undefined,
		};
		const chosen = item.filter(folderFilter, toOptionalFolder);
		const planId = await planIdOf(item);
		const folder = chosen && (await folderRecord(context, itemIndex, chosen));
		const compared: Array<boolean | undefined> = [];
		const isWanted = (video: IDataObject) => {
			if (!includes(video)) return false;
			if (!folder) return true;
			const isIn = isInFolder(video, folder);
			compared.push(isIn);
			return isIn === true;
		};
		const videos = await firstRecords(videoPages(context, planId, query, itemIndex), limit, isWanted);
		if (compared.length === 0 || compared.some((isIn) => isIn !== undefined)) return withoutSecrets(videos);
		throw noFolderError(context, itemIndex);
	},
};

function noFolderError(context: IExecuteFunctions, itemIndex: number): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		'The records of the videos do not contain their folder, so the filter Folder cannot be applied',
		{
			itemIndex,
			description:
				'Remove the filter and look at the output: the node needs a field such as folder_uuid or folder.',
		},
	);
}
