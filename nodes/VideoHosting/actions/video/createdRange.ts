import type { IDataObject } from 'n8n-workflow';

import { inZone, textOf, toDate, type DateValue } from '../../parameters/dates';
import { date } from '../../parameters/parameter';
import { createdTimeOf } from '../../service/serviceDate';
import type { VideoListQuery } from '../../service/videos';
import type { Item } from '../item';

export const createdFromFilter = createdFilter('Created From', 'initialDate', 'Start');

export const createdUntilFilter = createdFilter('Created Until', 'endDate', 'End');

function createdFilter(displayName: string, name: string, end: 'Start' | 'End') {
	return date(toDate, {
		displayName,
		name,
		collection: 'filters',
		placeholder: 'e.g. 2026-12-24 18:00:00',
		description: `${end} of the range on the creation date. A date alone is sent to the service as it is. A time without an offset is interpreted in the time zone of the workflow.`,
	});
}

/** The range as docs/api-reference.md#list-videos receives it, and whether a video is in it, as far as its date is readable. */
type CreatedRange = Pick<VideoListQuery, 'initialDate' | 'endDate'> & {
	includes: (video: IDataObject) => boolean;
};

/**
 * The reference does not show in which zone the service reads a time, and zones are at most 14 hours from UTC. So a time is sent in
 * UTC and a day wider, and the dates of the videos are compared.
 */
export function createdRange(item: Item): CreatedRange {
	const from = bound(item, item.read(createdFromFilter), -1);
	const until = bound(item, item.read(createdUntilFilter), 1);
	return {
		initialDate: from.sent,
		endDate: until.sent,
		includes: (video) => {
			const created = createdTimeOf(video);
			return (
				created === undefined || (created >= (from.time ?? -Infinity) && created <= (until.time ?? Infinity))
			);
		},
	};
}

/** @returns the time of a bound in milliseconds since 1970; undefined for a date alone */
function bound(item: Item, date: DateValue | undefined, days: number): { sent?: string; time?: number } {
	if (!date?.hasTime) return { sent: date?.iso };
	const time = inZone(date, item.context.getTimezone());
	return { sent: textOf(time.toUTC().plus({ days })), time: time.toMillis() };
}
