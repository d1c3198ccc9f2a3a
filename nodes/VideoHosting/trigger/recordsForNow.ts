// Until service/ returns records itself.
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { eventStatusOf } from '../service/eventStatuses';
import * as events from '../service/events';
import { firstRecords } from '../service/paging';
import * as fields from '../service/recordFields';
import * as dates from '../service/serviceDate';
import * as videos from '../service/videos';

export interface Listed {
	record: IDataObject;
	identity: string;
}
export interface Event extends Listed {
	hash?: string;
	id?: number;
	title?: string;
	dateScheduled?: string;
	status?: string;
}
export interface Video extends Listed {
	created?: number;
}
export function toEvent(record: IDataObject): Event {
	return {
		record,
		identity: fields.eventHashOf(record) ?? String(fields.eventIdOf(record)),
		hash: fields.eventHashOf(record),
		id: fields.eventIdOf(record),
		title: fields.eventTitleOf(record),
		dateScheduled: fields.dateScheduledOf(record),
		status: eventStatusOf(record),
	};
}
const toVideo = (record: IDataObject): Video => ({
	record,
	identity: fields.videoHashOf(record) ?? fields.videoIdOf(record) ?? JSON.stringify(record),
	created: dates.createdTimeOf(record),
});
export const allEvents = async (context: IPollFunctions, planId: string) =>
	(await firstRecords(events.eventPages(context, planId))).map(toEvent);
export const findEvent = async (context: IPollFunctions, planId: string, hash: string) => {
	const found = await events.findEvent(context, planId, hash);
	return found && toEvent(found);
};
export const scheduledTime = (event: Event, timeZone: string) =>
	dates.scheduledTimeOf(event.record, timeZone);
export const eventsInRange = (
	context: IPollFunctions,
	all: readonly Event[],
	range: dates.ScheduleRange,
	timeZone: string,
) =>
	dates
		.eventsInRange(
			context,
			all.map(({ record }) => record),
			range,
			timeZone,
		)
		.map(({ event, time }) => ({ event: toEvent(event), time }));
export const newestVideos = async (context: IPollFunctions, planId: string, since: number) =>
	(await videos.newestVideos(context, planId, since)).map(toVideo);
export const newestVideo = async (
	context: IPollFunctions,
	planId: string,
	matches: (video: Video) => boolean,
) =>
	(await firstRecords(videos.newestVideoPages(context, planId), 1, (video) => matches(toVideo(video)))).map(
		toVideo,
	);
