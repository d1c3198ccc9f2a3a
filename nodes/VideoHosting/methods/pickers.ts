import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';

import { toLocalText } from '../parameters/dates';
import { workflowTimeZone } from '../parameters/timeZone';
import { toText } from '../parameters/values';
import { latestEventPages } from '../service/events';
import { foldersByPath } from '../service/folder';
import { folderPages } from '../service/folders';
import { firstRecords, type Pages } from '../service/paging';
import { planOrDefault } from '../service/plan';
import { EVENTS, marksOf, VIDEOS, type Naming } from '../service/onlyMatch';
import { comparableName, parseServiceDate } from '../service/record';
import type { Video } from '../service/video';
import { newestVideoPages, withFolderNames } from '../service/videos';
import { toN8nError } from '../transport/serviceError';

/** Entries of a resource locator that are loaded at first; the editor loads the next ones when the user scrolls. */
const FIRST_ENTRIES = 100;
/** n8n loads the options of a multi-select at once: a longer list would be slow to load and to scroll. */
const MAX_EVENTS = 1000;

type Entry = { name: string; value: string };

/** A method that the editor calls: it ends with n8n's error. */
function picker<Args extends unknown[], Result>(
	list: (context: ILoadOptionsFunctions, ...args: Args) => Promise<Result>,
) {
	return async function (this: ILoadOptionsFunctions, ...args: Args): Promise<Result> {
		return await list(this, ...args).catch((error: unknown) => {
			throw toN8nError(this, error);
		});
	};
}

/**
 * Events of the plan for a resource locator, the latest scheduled first. The status is left out: n8n stores the name with the picked
 * event, and the status changes.
 */
export const searchEvents = picker(async (context, filter: string = '', paginationToken: string = '0') => {
	const pages = latestEventPages(context, await planIdOfEditor(context));
	return await nextEntries(
		pages,
		Number(paginationToken),
		(event) => entryOf(context, EVENTS, event),
		filter,
	);
});

/**
 * Events of the plan for a multi-select, the latest scheduled first: title and local time as the name, the hash as the
 * value. At most {@link MAX_EVENTS}; others can be entered in an expression.
 */
export const getEvents = picker(async (context): Promise<INodePropertyOptions[]> => {
	const pages = latestEventPages(context, await planIdOfEditor(context));
	const events = await firstRecords(pages, MAX_EVENTS, ({ hash }) => hash !== undefined);
	return events.map((event) => entryOf(context, EVENTS, event));
});

/**
 * The entries after those that the editor shows already, and as many. The list is read from its start each time: the pages of the service
 * move when something is created, and a short page is not the end.
 *
 * @param shown how many entries the editor shows: the token of the next page
 * @param complete adds what the entries show and the list lacks
 */
async function nextEntries<Item>(
	pages: Pages<Item>,
	shown: number,
	toEntry: (item: Item) => Entry,
	filter = '',
	complete = async (items: Item[]) => await Promise.resolve(items),
): Promise<INodeListSearchResult> {
	const most = Math.max(FIRST_ENTRIES, 2 * shown);
	const found = await firstRecords(pages, most, (item) => isEntry(toEntry(item), filter));
	const paginationToken = found.length === most ? String(most) : undefined;
	return { results: (await complete(found.slice(shown))).map(toEntry), paginationToken };
}

/** Folders of the application under their whole paths, such as `Events / 2026`. */
export const searchFolders = picker(async (context, filter: string = '') => ({
	results: await folderEntries(context, filter),
}));

/** Like {@link searchFolders}, for a field that may be empty again. */
export const searchOptionalFolders = picker(async (context, filter: string = '') => {
	const entries = await folderEntries(context, filter);
	const none = { name: 'No Folder', value: '' };
	return { results: isFound(none, filter) ? [none, ...entries] : entries };
});

async function folderEntries(context: ILoadOptionsFunctions, filter: string): Promise<Entry[]> {
	const folders = foldersByPath(await firstRecords(folderPages(context)));
	const entries = folders.map(({ name = 'Folder without a name', uuid = '' }) => ({ name, value: uuid }));
	return entries.filter((entry) => isEntry(entry, filter));
}

/**
 * Videos of the plan, the newest first; the service itself searches for the name that the user types
 * (docs/api-reference.md#search-videos-by-name).
 */
export const searchVideos = picker(async (context, filter: string = '', paginationToken: string = '0') => {
	const planId = await planIdOfEditor(context);
	const pages = newestVideoPages(context, planId, { name: filter.trim() || undefined });
	const toEntry = (video: Video) => entryOf(context, VIDEOS, video);
	const complete = async (videos: Video[]) => await withFolderNames(context, videos);
	return await nextEntries(pages, Number(paginationToken), toEntry, '', complete);
});

/** Whether an entry can be picked, and is found by what was typed. */
function isEntry(entry: Entry, filter: string): boolean {
	return entry.value !== '' && isFound(entry, filter);
}

/** Whether the name of an entry contains what was typed, in upper or lower case. */
function isFound({ name }: Entry, filter: string): boolean {
	const comparable = (text: string) => comparableName(text).toLowerCase();
	return comparable(name).includes(comparable(filter));
}

/** The title or name of a record, and in parentheses its date and its folder. */
function entryOf<Item>(context: ILoadOptionsFunctions, { shown }: Naming<Item>, item: Item): Entry {
	const { id = '', name = id, date, folder } = shown(item);
	const marks = marksOf(date && localTime(date, workflowTimeZone(context)), folder);
	return { name: marks === '' ? name : `${name} (${marks})`, value: id };
}

/**
 * A date of the service as `YYYY-MM-DD HH:mm`. One with an offset is converted to the time zone, which then follows; what is
 * not a date is returned unchanged.
 */
function localTime(text: string, timeZone: string): string {
	const date = parseServiceDate(text);
	if (!date) return text;
	const shown = toLocalText(date, timeZone).slice(0, 16);
	return date.hasOffset ? `${shown} ${timeZone}` : shown;
}

/**
 * The plan that the pickers of a node list: its Plan ID as it is while the node is edited, else the credential's.
 *
 * @throws OperationError when both are empty
 */
async function planIdOfEditor(context: ILoadOptionsFunctions): Promise<string> {
	const own = toText('Plan ID', context.getCurrentNodeParameter('options.planId'));
	return await planOrDefault(context, own);
}
