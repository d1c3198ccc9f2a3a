import { DAY_MS, timeInWorkflow, toDate } from '../../parameters/dates';
import { date, parameter, text } from '../../parameters/parameter';
import { toOptionalFolder } from '../../parameters/references';
import { workflowTimeZone } from '../../parameters/timeZone';
import { firstRecords } from '../../service/paging';
import { checkSome } from '../../service/record';
import { latestCreated, type Video } from '../../service/video';
import { FolderFilter, videoPages, type VideoListQuery } from '../../service/videos';
import {
	folderField,
	limitField,
	limitOf,
	planIdOf,
	planIdOption,
	returnAllField,
	SORT_DIRECTIONS,
	sortOption,
} from '../fields';
import type { Item, Operation } from '../operation';

const createdFromFilter = createdFilter('Created From', 'initialDate', 'Start');

const createdUntilFilter = createdFilter('Created Until', 'endDate', 'End');

function createdFilter(displayName: string, name: string, end: 'Start' | 'End') {
	return date(toDate, {
		displayName,
		name,
		collection: 'filters',
		placeholder: 'e.g. 2026-12-24 18:00:00',
		description: `${end} of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.`,
	});
}

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
		const { includes, isCompared, ...dates } = createdRange(item);
		const query: VideoListQuery = {
			name: item.read(nameFilter) || undefined,
			...dates,
			orderBy: item.read(orderByOption) || undefined,
			sort: item.read(directionOption) || undefined,
		};
		const chosen = item.read(folderFilter);
		const planId = await planIdOf(item);
		const folder = await FolderFilter.of(context, chosen);
		const read: Video[] = [];
		const videos = await firstRecords(videoPages(context, planId, query), limit, (video) => {
			read.push(video);
			return includes(video) && folder.matches(video);
		});
		checkSome(
			context,
			read,
			(video) => !isCompared || video.created !== undefined,
			'No video that was read has a readable date, so Created From and Created Until cannot be applied',
		);
		folder.check(context, 'filter');
		return videos.map(({ record }) => record);
	},
};

/**
 * The range as docs/api-reference.md#list-videos receives it, and whether a video is in it. Without a readable date, it is in no range.
 *
 * The reference does not show in which zone the service reads a time, and zones are at most 14 hours from UTC. So a time is sent in
 * UTC and a day wider, and the dates of the videos are compared.
 */
function createdRange(item: Item) {
	const from = bound(item, createdFromFilter, -1);
	const until = bound(item, createdUntilFilter, 1);
	// The zone of a date alone is the service's choice, so its day is compared with the day that is sent.
	const firstDay = from.sent?.slice(0, 10) ?? '';
	if (from.time > until.time || firstDay > (until.sent ?? firstDay))
		throw item.error('Created From must not be later than Created Until');
	const isCompared = Number.isFinite(from.time) || Number.isFinite(until.time);
	return {
		initialDate: from.sent,
		endDate: until.sent,
		isCompared,
		includes: (video: Video) => {
			if (!isCompared) return true;
			// A day alone is in the range as soon as a part of it is.
			return latestCreated(video) >= from.time && (video.created ?? NaN) <= until.time;
		},
	};
}

/** Years of four digits, which ISO 8601 writes without a sign; milliseconds since 1970. */
const YEARS = { from: Date.parse('0001-01-01T00:00:00Z'), until: Date.parse('9999-12-31T23:59:59Z') };

/**
 * @param sign of the direction in which the bound is wider: -1 or 1
 * @returns the time of a bound in milliseconds since 1970; infinite for a date alone, and without one
 * @throws InvalidParameterError for a time that the clock of the workflow skips, or shows twice
 */
function bound(
	item: Item,
	filter: ReturnType<typeof createdFilter>,
	sign: number,
): { sent?: string; time: number } {
	const date = item.read(filter);
	if (!date?.hasTime) return { sent: date?.iso, time: sign * Infinity };
	const time = timeInWorkflow(filter.displayName, date, workflowTimeZone(item.context));
	const wider = Math.min(Math.max(time + sign * DAY_MS, YEARS.from), YEARS.until);
	return { sent: new Date(wider).toISOString().slice(0, 19).replace('T', ' '), time };
}
