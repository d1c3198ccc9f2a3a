import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeProperties,
} from 'n8n-workflow';

import { eventPages, type EventListQuery } from '../../service/events';
import { scheduledTimeIn } from '../../service/eventSchedule';
import { firstRecords } from '../../service/paging';
import { readTimeRange } from '../../service/timeSortedList';
import { invalidParameter, toTimeIn, type ItemParameters } from '../parameters';

/** Milliseconds since the epoch: `from` is in the range, `before` is not. */
export interface ScheduleRange {
	from: number;
	before: number;
}

export const scheduledAfterFilter: INodeProperties = {
	displayName: 'Scheduled After',
	name: 'scheduledAfter',
	type: 'dateTime',
	default: '',
	description:
		'Return only events scheduled at this time or later. A date without an offset is interpreted in the time zone of the workflow.',
};

export const scheduledBeforeFilter: INodeProperties = {
	displayName: 'Scheduled Before',
	name: 'scheduledBefore',
	type: 'dateTime',
	default: '',
	description:
		'Return only events scheduled before this time; a date alone is the beginning of that day. A date without an offset is interpreted in the time zone of the workflow.',
};

/**
 * The filters Scheduled After and Scheduled Before; undefined when both are empty.
 *
 * @throws NodeOperationError when one is not a date, or no time is between them
 */
export function scheduleRange({ context, filter, itemIndex }: ItemParameters): ScheduleRange | undefined {
	const toTime = toTimeIn(context.getTimezone());
	const from = filter(scheduledAfterFilter, toTime);
	const before = filter(scheduledBeforeFilter, toTime);
	if (from === undefined && before === undefined) return undefined;
	if (from !== undefined && before !== undefined && from >= before)
		throw invalidParameter(context, itemIndex, 'Scheduled After must be earlier than Scheduled Before');
	return { from: from ?? -Infinity, before: before ?? Infinity };
}

/**
 * The first events of a plan that are scheduled in a range, in the order of the list. As long as the list is sorted by the
 * schedule, pages outside the range are not read; a list in another order is read as a whole. An event without a date is not
 * in any range.
 *
 * @param limit of the number of events
 * @param matches further condition; called once for each event in the range that is read
 * @throws NodeApiError when a page cannot be read; NodeOperationError when the events have no dates
 */
export async function eventsInRange(
	context: IExecuteFunctions,
	query: EventListQuery,
	{ from, before }: ScheduleRange,
	limit: number,
	matches: (event: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const pages = eventPages(context, query);
	const timeOf = scheduledTimeIn(context.getTimezone());
	let dated = 0;
	const results = new Map<IDataObject, boolean>();
	const isWanted = (event: IDataObject) => {
		const known = results.get(event);
		if (known !== undefined) return known;
		const time = timeOf(event);
		if (time !== undefined) dated++;
		const isWantedNow = time !== undefined && time >= from && time < before && matches(event);
		results.set(event, isWantedNow);
		return isWantedNow;
	};
	const isSortedByDate = query.orderBy === undefined || query.orderBy === 'date';
	let events: IDataObject[];
	if (isSortedByDate) {
		const { records, isReversed } = await readTimeRange(
			{ newestFirst: pages, defaultOrder: pages, timeOf },
			{ from: () => from, to: before - 1, atMost: { count: limit, matches: isWanted } },
			{ firstPage: 1, hasTimeLeft: () => true },
		);
		events = (isReversed ? records.reverse() : records).filter(isWanted).slice(0, limit);
	} else {
		events = await firstRecords(pages, limit, isWanted);
	}
	if (results.size > 0 && dated === 0) {
		throw new NodeOperationError(
			context.getNode(),
			'The events have no readable date, so Scheduled After and Scheduled Before cannot be applied. Remove these filters',
			{ itemIndex: query.itemIndex },
		);
	}
	return events;
}
