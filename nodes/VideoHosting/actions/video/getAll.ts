import { toOptionalFolder } from '../../parameters/references';
import { parameter, text } from '../../parameters/parameter';
import { FolderFilter, videoPages, type VideoListQuery } from '../../service/videos';
import { firstRecords } from '../../service/paging';
import { folderField, limitField, limitOf, planIdOf, planIdOption, returnAllField } from '../fields';
import type { Operation } from '../operation';
import { SORT_DIRECTIONS, sortOption } from '../sortOption';
import { createdFromFilter, createdRange, createdUntilFilter } from './createdRange';

const folderFilter = parameter(toOptionalFolder, {
	...folderField,
	collection: 'filters',
	required: undefined,
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

const orderByOption = sortOption({
	displayName: 'Order By',
	name: 'orderBy',
	values: { 'Created Date': 'created_date', Name: 'name' },
	default: 'created_date',
	description: 'Field by which the service sorts the videos',
});

const directionOption = sortOption({
	displayName: 'Sort Direction',
	name: 'sort',
	values: SORT_DIRECTIONS,
	default: 'DESC',
	description:
		'Sort direction. The service does not document the values; enter another one as an expression.',
});

/** See docs/api-reference.md#list-videos. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many videos of a plan',
	action: 'Get many videos',
	parameters: [
		returnAllField,
		limitField,
		createdFromFilter,
		createdUntilFilter,
		folderFilter,
		nameFilter,
		orderByOption,
		planIdOption,
		directionOption,
	],
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const limit = limitOf(item);
		const { includes, ...dates } = createdRange(item);
		const query: VideoListQuery = {
			name: item.read(nameFilter) || undefined,
			...dates,
			orderBy: item.read(orderByOption) || undefined,
			sort: item.read(directionOption) || undefined,
		};
		const chosen = item.read(folderFilter);
		const planId = await planIdOf(item);
		const folder = await FolderFilter.of(context, chosen);
		const videos = await firstRecords(
			videoPages(context, planId, query),
			limit,
			(video) => includes(video) && folder.matches(video),
		);
		folder.check(context, 'filter');
		return videos.map(({ record }) => record);
	},
};
