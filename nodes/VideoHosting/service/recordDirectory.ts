import type { IDataObject } from 'n8n-workflow';

import { perRun } from '../shared/perRun';
import type { ServiceContext } from '../transport/credential';
import { toNodeError } from '../transport/errors';
import { eventList, findEvent } from './events';
import { uniqueRecords, type PageReader } from './paging';
import { eventHashOf, eventIdOf, planSecretOf, videoHashOf } from './recordFields';
import { newestFirstIfSupported, type TimeSortedList } from './timeSortedList';
import { videoList } from './videos';

/** The records of a list, read page by page and only as far as the lookups of a run need: each page once. */
class RecordDirectory {
	records: IDataObject[] = [];

	/** Whether the last page was read. */
	isComplete = false;

	private pages: AsyncGenerator<IDataObject[], void, undefined>;

	private pagesRead = 0;

	constructor(private readonly readPage: PageReader) {
		this.pages = uniqueRecords(readPage);
	}

	/**
	 * The first record that matches.
	 *
	 * @param mostPages number of pages of the list to search
	 * @throws NodeApiError when a page cannot be read; the next call reads the list again
	 */
	async find(
		context: ServiceContext,
		matches: (record: IDataObject) => boolean,
		mostPages = Infinity,
	): Promise<IDataObject | undefined> {
		let found = this.records.find(matches);
		while (!found && !this.isComplete && this.pagesRead < mostPages) {
			const fresh = await this.readNext(context);
			this.records.push(...fresh);
			found = fresh.find(matches);
		}
		return found;
	}

	private async readNext(context: ServiceContext): Promise<IDataObject[]> {
		try {
			const { value, done } = await this.pages.next();
			this.pagesRead++;
			this.isComplete = done === true;
			return value ?? [];
		} catch (error) {
			// A generator that threw is finished.
			this.pages = uniqueRecords(this.readPage);
			this.pagesRead = 0;
			this.records = [];
			throw toNodeError(context, error);
		}
	}
}

type Directories = Map<string, RecordDirectory>;

/** By plan. */
const eventsOfRun = perRun((): Directories => new Map());
const videosOfRun = perRun((): Directories => new Map());

function directoryOf(directories: Directories, planId: string, list: () => TimeSortedList): RecordDirectory {
	const directory = directories.get(planId) ?? new RecordDirectory(newestFirstIfSupported(list()));
	directories.set(planId, directory);
	return directory;
}

/** The events of a plan, the newest first as far as the service sorts them so. */
function eventsOf(context: ServiceContext, planId: string, itemIndex: number): RecordDirectory {
	return directoryOf(eventsOfRun(context), planId, () => eventList(context, planId, itemIndex));
}

/**
 * All events of a plan.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function allEvents(
	context: ServiceContext,
	planId: string,
	itemIndex: number,
): Promise<readonly IDataObject[]> {
	const directory = eventsOf(context, planId, itemIndex);
	await directory.find(context, () => false);
	return directory.records;
}

/** Applies the change of an event to the events of this run: its new title, or undefined for a deleted event. */
export function noteEventChange(context: ServiceContext, hash: string, title: string | undefined): void {
	for (const directory of eventsOfRun(context).values()) {
		directory.records = directory.records.flatMap((event) =>
			eventHashOf(event) !== hash ? [event] : title === undefined ? [] : [{ ...event, title }],
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
	itemIndex: number,
): Promise<{ record?: IDataObject; secret?: string }> {
	const directory = eventsOf(context, planId, itemIndex);
	const other = await directory.find(context, (event) => planSecretOf(event) !== undefined);
	const record = directory.records.find((event) => eventHashOf(event) === hash);
	return { record, secret: (record && planSecretOf(record)) ?? (other && planSecretOf(other)) };
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
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const directory = eventsOf(context, planId, itemIndex);
	return await directory.find(context, (event) => eventHashOf(event) === hash);
}

/**
 * A record of the event with this hash that contains its numeric ID, if there is one: from the pages that were read, else from
 * docs/api-reference.md#search-an-event-by-hash, whose response is not documented, else from all pages.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findEventWithId(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const isIt = (event: IDataObject) =>
		(eventHashOf(event) ?? hash) === hash && eventIdOf(event) !== undefined;
	const { records } = eventsOf(context, planId, itemIndex);
	const read = records.find((event) => eventHashOf(event) === hash && isIt(event));
	if (read) return read;
	const { event } = await findEvent(context, planId, hash, itemIndex).catch(() => ({ event: undefined }));
	return event && isIt(event) ? event : await findListedEvent(context, planId, hash, itemIndex);
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
	itemIndex: number,
): Promise<{ video?: IDataObject; searched: number; isComplete: boolean }> {
	const directory = directoryOf(videosOfRun(context), planId, () =>
		videoList(context, planId, {}, itemIndex),
	);
	const video = await directory.find(context, (record) => videoHashOf(record) === hash, MOST_VIDEO_PAGES);
	return { video, searched: directory.records.length, isComplete: directory.isComplete };
}
