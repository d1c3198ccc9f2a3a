import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { eventList } from '../service/events';
import { listFolders } from '../service/folders';
import {
	eventHashOf,
	folderNameOf,
	folderUuidOf,
	videoCreatedOf,
	videoFolderOf,
	videoHashOf,
	videoNameOf,
} from '../service/recordFields';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { videoList } from '../service/videos';
import { toNodeError } from '../transport/errors';
import { withListErrors } from './listError';
import { entryName, eventEntryName, localTime, pickerPage, planIdOfEditor } from './pickerPage';

/** The lists of the resource locators. */

/** Events of the plan, the latest scheduled first. */
export const searchEvents = withListErrors(async function (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const planId = await planIdOfEditor(this);
	const timeZone = this.getTimezone();
	return await pickerPage(newestFirstIfSupported(eventList(this, planId)), {
		nameOf: (event) => eventEntryName(event, timeZone),
		valueOf: eventHashOf,
		filter,
		paginationToken,
	});
});

/** Galleries of the application; the service lists them all in one response (docs/api-reference.md#list-galleries). */
export const searchFolders = withListErrors(async function (
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await pickerPage(async (page) => (page === 1 ? await listFolders(this) : []), {
		nameOf: (folder) => folderNameOf(folder) ?? folderUuidOf(folder) ?? 'Folder without a name',
		valueOf: folderUuidOf,
		filter,
		onePage: true,
	});
});

/**
 * Videos of the plan with date and folder, the newest first; the service itself searches for the name that the user types
 * (docs/api-reference.md#search-videos-by-name).
 */
export const searchVideos = withListErrors(async function (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const planId = await planIdOfEditor(this);
	const timeZone = this.getTimezone();
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
	return await pickerPage(readPageAndFolders, {
		nameOf: (video) => {
			const created = videoCreatedOf(video);
			const { uuid = '', name = folderNames.get(uuid.toLowerCase()) } = videoFolderOf(video);
			const title = videoNameOf(video) ?? videoHashOf(video) ?? 'Video without a name';
			return entryName(title, [created === undefined ? undefined : localTime(created, timeZone), name]);
		},
		valueOf: videoHashOf,
		paginationToken,
	});
});

/** Names of the folders by UUID in lower case; none when the list of folders cannot be read: videos can be picked without. */
async function namesOfFolders(context: ILoadOptionsFunctions): Promise<Map<string, string>> {
	let folders: IDataObject[] = [];
	try {
		folders = await listFolders(context);
	} catch (error) {
		context.logger.warn(`The list of videos has no folder names: ${toNodeError(context, error).message}`);
	}
	return new Map(
		folders.map((folder) => [folderUuidOf(folder)?.toLowerCase() ?? '', folderNameOf(folder) ?? '']),
	);
}
