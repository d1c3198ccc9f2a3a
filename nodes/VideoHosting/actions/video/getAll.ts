import { DAY_MS, timeInWorkflow, toDate } from '../../parameters/dates';
import { date, parameter, text } from '../../parameters/parameter';
import { folderLocator, toOptionalFolder } from '../../parameters/references';
import { workflowTimeZone } from '../../parameters/timeZone';
import { firstRecords } from '../../service/paging';
import { checkSome } from '../../service/record';
import { latestCreated, type Video } from '../../service/video';
import { placementsFor, videoPages, videosIn, type VideoListQuery } from '../../service/videos';
import { OperationError } from '../../transport/serviceError';
import { limitFields, limitOf, planIdOf, planIdOption, sortDirectionOption } from '../fields';
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
	...folderLocator,
	collection: 'filters',
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

const orderByOption = text({
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

/** See docs/api-reference.md#list-videos. */
export const getAll: Operation = {
	name: 'Get Many',
	description: 'Get many videos of a plan',
	action: 'Get many videos',
	parameters: [
		...limitFields,
		createdFromFilter,
		createdUntilFilter,
		folderFilter,
		nameFilter,
		orderByOption,
		planIdOption,
		sortDirectionOption,
	],
	returnsList: true,
	async execute(item) {
		const { context } = item;
		const limit = limitOf(item);
		const range = createdRange(item);
		const query: VideoListQuery = {
			name: item.read(nameFilter) || undefined,
			initialDate: range.from.sent,
			endDate: range.until.sent,
			orderBy: item.read(orderByOption) || undefined,
			sort: item.read(sortDirectionOption) || undefined,
		};
		const chosen = item.read(folderFilter);
		const planId = await planIdOf(item);
		const placed = await placementsFor(context, chosen);
		const read: Video[] = [];
		await firstRecords(videoPages(context, planId, query), limit, (video) => {
			read.push(video);
			return isIn(range, video) && placed(video) === 'in';
		});
		checkSome(
			read,
			({ created }) => created !== undefined || !isCompared(range),
			'No video that was read has a readable date, so Created From and Created Until cannot be applied',
		);
		const inRange = read.filter((video) => isIn(range, video));
		const videos = videosIn(placed, inRange, 'filter');
		return videos.slice(0, limit).map(({ record }) => record);
	},
};

interface Bound {
	/** As the service receives it (docs/api-reference.md#list-videos). */
	sent?: string;
	/** Milliseconds since 1970; infinite for a date alone, whose zone is the service's choice, and without one. */
	time: number;
}

type Range = Record<'from' | 'until', Bound>;

/**
 * The range of the creation date. The reference does not show in which zone the service reads a time, and zones are at most 14 hours from
 * UTC. So a time is sent in UTC and a day wider, and the dates of the videos are compared.
 */
function createdRange(item: Item): Range {
	const from = bound(item, createdFromFilter, -1);
	const until = bound(item, createdUntilFilter, 1);
	// The day of a date alone is compared with the day that is sent.
	const firstDay = from.sent?.slice(0, 10) ?? '';
	if (from.time <= until.time && firstDay <= (until.sent ?? firstDay)) return { from, until };
	throw new OperationError('Created From must not be later than Created Until');
}

/**
 * @param sign of the direction in which the bound is wider: -1 or 1
 * @throws InvalidParameterError for a time that the clock of the workflow skips, or shows twice
 */
function bound(item: Item, filter: ReturnType<typeof createdFilter>, sign: number): Bound {
	const date = item.read(filter);
	if (!date?.hasTime) return { sent: date?.iso, time: sign * Infinity };
	const time = timeInWorkflow(filter.displayName, date, workflowTimeZone(item.context));
	const sent = new Date(time + sign * DAY_MS).toISOString().slice(0, 19).replace('T', ' ');
	return { sent, time };
}

function isCompared({ from, until }: Range): boolean {
	return Number.isFinite(from.time) || Number.isFinite(until.time);
}

/** A day alone is in the range as soon as a part of it is. Without a readable date, a video is in no range. */
function isIn(range: Range, video: Video): boolean {
	const { created = isCompared(range) ? NaN : 0 } = video;
	return latestCreated(video) >= range.from.time && created <= range.until.time;
}
