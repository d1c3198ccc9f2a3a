import {
	NodeApiError,
	type IDataObject,
	type ILoadOptionsFunctions,
	type INodeListSearchResult,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { toFilterText } from '../parameters/dates';
import { checked } from '../parameters/readParameter';
import { toText } from '../parameters/values';
import { eventList } from '../service/events';
import { listFolders } from '../service/folders';
import { firstRecords } from '../service/paging';
import { planOrDefault } from '../service/plan';
import {
	dateScheduledOf,
	eventHashOf,
	eventTitleOf,
	folderNameOf,
	folderUuidOf,
	videoCreatedOf,
	videoFolderOf,
	videoHashOf,
	videoNameOf,
} from '../service/recordFields';
import { parseServiceDate } from '../service/serviceDate';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { videoList } from '../service/videos';
import { toNodeError } from '../transport/errors';
import { entriesOf, pickerPage, type PickerView } from './pickerPage';

/** n8n loads the options of a multi-select at once: a longer list would be slow to load and to scroll. */
export const MAX_EVENTS = 1000;

const picker = withListErrors<[filter?: string, paginationToken?: unknown], INodeListSearchResult>;

/** Events of the plan for a resource locator, the latest scheduled first. */
export const searchEvents = picker(async function (filter, paginationToken) {
	const planId = await planIdOfEditor(this);
	const readPage = newestFirstIfSupported(eventList(this, planId));
	return await pickerPage(readPage, { ...eventView(this), filter }, paginationToken);
});

/**
 * Events of the plan for a multi-select, the latest scheduled first: title and local time as the name, the hash as the
 * value. At most {@link MAX_EVENTS}; others can be entered in an expression.
 */
export const getEvents = withListErrors<[], INodePropertyOptions[]>(async function () {
	const planId = await planIdOfEditor(this);
	const events = await firstRecords(newestFirstIfSupported(eventList(this, planId)), MAX_EVENTS);
	return entriesOf(events, eventView(this));
});

/** Galleries of the application; the service lists them all in one response (docs/api-reference.md#list-galleries). */
export const searchFolders = picker(async function (filter) {
	const results = entriesOf(await listFolders(this), {
		nameOf: (folder) => folderNameOf(folder) ?? folderUuidOf(folder) ?? 'Folder without a name',
		valueOf: folderUuidOf,
		filter,
	});
	return { results };
});

/**
 * Videos of the plan with date and folder, the newest first; the service itself searches for the name that the user types
 * (docs/api-reference.md#search-videos-by-name).
 */
export const searchVideos = picker(async function (filter, paginationToken) {
	const planId = await planIdOfEditor(this);
	const readPage = newestFirstIfSupported(
		videoList(this, planId, { name: filter === '' ? undefined : filter }),
	);
	let folderNames = new Map<string, string>();
	const readPageAndFolders = async (page: number) => {
		const videos = await readPage(page);
		const needsNames = videos
			.map(videoFolderOf)
			.some(({ uuid, name }) => uuid !== undefined && name === undefined);
		if (needsNames && folderNames.size === 0) folderNames = await namesOfFolders(this);
		return videos;
	};
	const nameOf = (video: IDataObject) => {
		const { uuid = '', name = folderNames.get(uuid.toLowerCase()) } = videoFolderOf(video);
		const title = videoNameOf(video) ?? videoHashOf(video) ?? 'Video without a name';
		return entryName(title, [localTime(videoCreatedOf(video), this.getTimezone()), name]);
	};
	return await pickerPage(readPageAndFolders, { nameOf, valueOf: videoHashOf }, paginationToken);
});

/**
 * An event with title and local time. The status is left out, because n8n stores this name with the picked event, and the
 * status changes.
 */
function eventView(context: ILoadOptionsFunctions): PickerView {
	const nameOf = (event: IDataObject) => {
		const title = eventTitleOf(event) ?? eventHashOf(event) ?? 'Event without a title';
		return entryName(title, [localTime(dateScheduledOf(event), context.getTimezone())]);
	};
	return { nameOf, valueOf: eventHashOf };
}

/** Names of the folders by UUID in lower case; none when the list of folders cannot be read: videos can be picked without. */
async function namesOfFolders(context: ILoadOptionsFunctions): Promise<Map<string, string>> {
	const folders = await listFolders(context).catch((error: unknown) => {
		context.logger.warn(`The list of videos has no folder names: ${toNodeError(context, error).message}`);
		return [];
	});
	return new Map(
		folders.map((folder) => [folderUuidOf(folder)?.toLowerCase() ?? '', folderNameOf(folder) ?? '']),
	);
}

/** A name, and in parentheses what is known besides it. */
function entryName(name: string, details: Array<string | undefined>): string {
	const known = details.filter((detail) => detail !== undefined);
	return known.length > 0 ? `${name} (${known.join(', ')})` : name;
}

/**
 * A date of the service as `YYYY-MM-DD HH:mm`. One with an offset is converted to the time zone, which then follows; what is
 * not a date is returned unchanged.
 */
function localTime(text: string | undefined, timeZone: string): string | undefined {
	const date = text === undefined ? undefined : parseServiceDate(text);
	if (!date) return text;
	const shown = toFilterText(date, timeZone).slice(0, 16);
	return date.kind === 'instant' ? `${shown} ${timeZone}` : shown;
}

/**
 * The plan that the pickers of a node list: its Plan ID as it is while the node is edited, else the credential's.
 *
 * @throws NodeOperationError when both are empty
 */
async function planIdOfEditor(context: ILoadOptionsFunctions): Promise<string> {
	const own = checked(context, undefined, () =>
		toText('Plan ID', context.getCurrentNodeParameter('options.planId')),
	);
	return await planOrDefault(context, own);
}

type Load<Args extends unknown[], Result> = (this: ILoadOptionsFunctions, ...args: Args) => Promise<Result>;

/**
 * A list of the editor whose errors give the same advice there as in a run. n8n sends the description of a NodeApiError alone to the
 * editor (n8n 2.41.1 dist/response-helper.js, sendErrorResponse), which splits a message at each hyphen and leaves the
 * hyphens out, so that a plan would be shown under another name (n8n-editor-ui 2.41.1, ResourceLocator.vue).
 *
 * @throws NodeApiError whose message has non-breaking hyphens
 */
function withListErrors<Args extends unknown[], Result>(load: Load<Args, Result>): Load<Args, Result> {
	return async function (...args) {
		try {
			return await load.apply(this, args);
		} catch (error) {
			const failure = toNodeError(this, error);
			const shown = new NodeApiError(this.getNode(), { message: failure.message });
			// The constructor replaces both with generic texts.
			shown.message = failure.message.replace(/[-–—]/g, '\u2011');
			shown.description = failure.description;
			shown.httpCode = failure instanceof NodeApiError ? failure.httpCode : null;
			throw shown;
		}
	};
}
