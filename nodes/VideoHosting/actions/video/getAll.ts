import { NodeOperationError, type IDataObject } from 'n8n-workflow';

import { toDate } from '../../parameters/dates';
import { toOptionalFolder } from '../../parameters/identifiers';
import { date, parameter, text } from '../../parameters/parameter';
import { toListed, toText } from '../../parameters/values';
import { firstRecords } from '../../service/paging';
import { isInFolder } from '../../service/recordFields';
import { createdRange, videoPages, type VideoListQuery } from '../../service/videos';
import { withoutSecrets } from '../../transport/secrets';
import { folderField, limitField, limitOf, planIdOf, planIdOption, returnAllField } from '../fields';
import { folderRecord } from '../folder/get';
import type { Item } from '../item';
import type { Operation } from '../operation';

const createdFromFilter = date(toDate, {
	displayName: 'Created From',
	name: 'initialDate',
	collection: 'filters',
	description:
		'Start of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
});

const createdUntilFilter = date(toDate, {
	displayName: 'Created Until',
	name: 'endDate',
	collection: 'filters',
	description:
		'End of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.',
});

const folderFilter = parameter(toOptionalFolder, {
	...folderField,
	collection: 'filters',
	required: false,
	description:
		'Return only videos in this folder, from the list or by its UUID or exact name. Videos are read until enough of them are in it.',
});

const nameFilter = text({
	displayName: 'Name',
	name: 'name',
	collection: 'filters',
	placeholder: 'e.g. interview',
	description: 'Return only videos that the service finds by this name',
});

const orderByOption = parameter(toListed, {
	displayName: 'Order By',
	name: 'orderBy',
	collection: 'options',
	type: 'options',
	options: [
		{ name: 'Created Date', value: 'created_date' },
		{ name: 'Name', value: 'name' },
	],
	default: 'created_date',
	description: 'Field by which the service sorts the videos',
});

const sortOption = parameter(toText, {
	displayName: 'Sort Direction',
	name: 'sort',
	collection: 'options',
	type: 'options',
	options: [
		{ name: 'Ascending', value: 'ASC' },
		{ name: 'Descending', value: 'DESC' },
	],
	default: 'DESC',
	description:
		'Sort direction. The service does not document the values; enter another one as an expression.',
});

/** See docs/api-reference.md#list-videos. */
export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		description: 'Get many videos of a plan',
		action: 'Get many videos',
	},
	parameters: [
		returnAllField,
		limitField,
		createdFromFilter,
		createdUntilFilter,
		folderFilter,
		nameFilter,
		orderByOption,
		planIdOption,
		sortOption,
	],
	async execute(item) {
		const { context, itemIndex } = item;
		const limit = limitOf(item);
		const { includes, ...dates } = createdRange(
			item.read(createdFromFilter),
			item.read(createdUntilFilter),
			context.getTimezone(),
		);
		const query: VideoListQuery = {
			name: item.read(nameFilter) || undefined,
			...dates,
			orderBy: item.read(orderByOption),
			sort: item.read(sortOption) || undefined,
		};
		const chosen = item.read(folderFilter);
		const planId = await planIdOf(item);
		const folder = chosen && (await folderRecord(item, chosen));
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
		throw noFolderError(item);
	},
};

function noFolderError(item: Item): NodeOperationError {
	return item.error(
		'The records of the videos do not contain their folder, so the filter Folder cannot be applied',
		'Remove the filter and look at the output: the node needs a field such as folder_uuid or folder.',
	);
}
