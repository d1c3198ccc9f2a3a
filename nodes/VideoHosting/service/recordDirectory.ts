import type { IDataObject } from 'n8n-workflow';

import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { forgetCreated } from './creation';
import { eventList, findEvent } from './events';
import { uniqueRecords } from './paging';
import { eventHashOf, eventIdOf, eventTitleOf, planSecretOf, videoHashOf } from './recordFields';
import { newestFirstIfSupported, type TimeSortedList } from './timeSortedList';
import { videoList } from './videos';

/** The records of a list, read page by page and only as far as the lookups of a run need: each page once. */
interface Directory {
	records: IDataObject[];
	pages: AsyncGenerator<IDataObject[], void, undefined>;
	pagesRead: number;
	/** Whether the last page was read. */
	isComplete: boolean;
	/** Records that were requested by their hash instead. */
	requestedByHash: number;
}

/** By plan. */
const eventsOfRun = perRun(() => new Map<string, Directory>());
const videosOfRun = perRun(() => new Map<string, Directory>());

/**
 * The first record of a plan's list that matches, with all records that were read.
 *
 * @param mostPages number of pages of the list to search
 * @throws NodeApiError when a page cannot be read; the next call reads the list again
 */
async function findRecord(
	directories: Map<string, Directory>,
	planId: string,
	list: TimeSortedList,
	matches: (record: IDataObject) => boolean,
	mostPages = Infinity,
): Promise<Directory & { found?: IDataObject }> {
	const directory = directories.get(planId) ?? {
		records: [],
		pages: uniqueRecords(newestFirstIfSupported(list)),
		pagesRead: 0,
		isComplete: false,
		requestedByHash: 0,
	};
	// A generator that threw is finished.
	directories.delete(planId);
	let found = directory.records.find(matches);
	while (!found && !directory.isComplete && directory.pagesRead < mostPages) {
		const { value, done } = await directory.pages.next();
		directory.pagesRead++;
		directory.isComplete = done === true;
		directory.records.push(...(value ?? []));
		found = value?.find(matches);
	}
	directories.set(planId, directory);
	return { ...directory, found };
}

/** Like {@link findRecord}, of the events of a plan, the newest first as far as the service sorts them so. */
async function findEventRecord(
	context: ServiceContext,
	planId: string,
	matches: (event: IDataObject) => boolean,
	mostPages?: number,
): Promise<{ records: readonly IDataObject[]; found?: IDataObject }> {
	const list = eventList(context, planId);
	return await findRecord(eventsOfRun(context), planId, list, matches, mostPages);
}

/**
 * All events of a plan.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function allEvents(context: ServiceContext, planId: string): Promise<readonly IDataObject[]> {
	return (await findEventRecord(context, planId, () => false)).records;
}

/**
 * Applies the change of events to the events of this run, and to what this process has created.
 *
 * @param isIt recognizes them
 * @param title the new one, undefined for deleted events
 */
export async function noteEventChange(
	context: ServiceContext,
	isIt: (event: IDataObject) => boolean,
	title?: string,
): Promise<void> {
	await forgetCreated(context, 'event', (event) => isIt(event) && eventTitleOf(event) !== title);
	for (const directory of eventsOfRun(context).values()) {
		directory.records = directory.records.flatMap((event) =>
			!isIt(event) ? [event] : title === undefined ? [] : [{ ...event, title }],
		);
	}
}

/**
 * The plan secret, which the list of all events alone is known to contain (docs/api-reference.md#search-all-events). Usually one
 * page is read: any event of the plan carries it.
 *
 * @returns `record`: the event itself when it is on a page that was read; `secret`: its own, else that of another event
 * @throws NodeApiError when a page cannot be read
 */
export async function findPlanSecret(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ record?: IDataObject; secret?: string }> {
	const hasSecret = (event: IDataObject) => planSecretOf(event) !== undefined;
	const { records, found } = await findEventRecord(context, planId, hasSecret);
	const record = records.find((event) => eventHashOf(event) === hash);
	return { record, secret: (record && planSecretOf(record)) ?? (found && planSecretOf(found)) };
}

/**
 * The event with this hash as the list of all events contains it, which is read until the event is found.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findListedEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<IDataObject | undefined> {
	const isIt = (event: IDataObject) => eventHashOf(event) === hash;
	return (await findEventRecord(context, planId, isIt)).found;
}

/**
 * A record of the event with this hash that contains its numeric ID, if there is one: from the pages that were read, from the next
 * page once as many events were requested by their hash as pages were read, from docs/api-reference.md#search-an-event-by-hash,
 * whose response is not documented, else from all pages. So one event needs few requests in a plan of many events, and many
 * events need few requests each.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findEventWithId(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<IDataObject | undefined> {
	const isIt = (event: IDataObject) => eventHashOf(event) === hash && eventIdOf(event) !== undefined;
	const directory = eventsOfRun(context).get(planId);
	if (directory) {
		const { pagesRead, requestedByHash } = directory;
		const mostPages = requestedByHash < pagesRead ? pagesRead : pagesRead + 1;
		const read = await findEventRecord(context, planId, isIt, mostPages).catch(() => undefined);
		if (read?.found) return read.found;
		directory.requestedByHash++;
	}
	const { event } = await findEvent(context, planId, hash).catch(() => ({ event: undefined }));
	const isFound = event && (eventHashOf(event) ?? hash) === hash && eventIdOf(event) !== undefined;
	return isFound ? event : await findListedEvent(context, planId, hash);
}

/** Pages that are read at most for each plan and run: 2,000 videos of a service with 20 on a page. */
export const MOST_VIDEO_PAGES = 100;

/**
 * Looks up a video in the list of a plan's videos, newest first as far as the service sorts them so: there is no operation
 * for one video (docs/api-reference.md#list-videos). Each page is read at most once for each plan and run, none after the
 * video is found, and no more than {@link MOST_VIDEO_PAGES}.
 *
 * @returns the video, if it is on one of these pages; `searched`: how many videos were searched; `isComplete`: whether
 * these are all videos of the plan
 * @throws NodeApiError when a page cannot be read
 */
export async function findVideo(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ video?: IDataObject; searched: number; isComplete: boolean }> {
	const { found, records, isComplete } = await findRecord(
		videosOfRun(context),
		planId,
		videoList(context, planId, {}),
		(video) => videoHashOf(video) === hash,
		MOST_VIDEO_PAGES,
	);
	return { video: found, searched: records.length, isComplete };
}
