import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../transport/credential';
import { operationError, unreadableResponseError } from '../transport/errors';
import { readList } from './paging';
import { fieldEntries, isRecord, normalizedName } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';
import { folderNameOf, folderUuidOf, isSameName, isSameUuid } from './recordFields';
import { path } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';

/** Fields in which a folder may contain others. */
const CHILDREN_NAME = /^((child|sub)?(folders|galleries)|children|nodes)$/;
const TOTAL_NAME = /^(total(count|items|records|elements|results)?|count)$/;
const PAGE_COUNT_NAME = /^(totalpages|pagecount|lastpage|numpages)$/;
const MORE_NAME = /^has(next(page)?|more)$/;

const FOLDER_LIST: ServiceRequest = { method: 'GET', path: path('folders') };

/**
 * All galleries of the application (docs/api-reference.md#list-galleries), those inside others as well. The reference shows
 * no paging.
 *
 * @throws NodeApiError as {@link readList}, or when the response announces folders that it does not contain
 */
export async function listFolders(context: ServiceContext): Promise<IDataObject[]> {
	const { list, body } = await readList(context, FOLDER_LIST, 'folders');
	// One folder that contains all others comes without a list around it.
	const isRoot = isRecord(body) && folderUuidOf(body) !== undefined;
	const folders = withNestedFolders(isRoot ? [body] : list);
	const total = isRoot ? 0 : announcedTotal(body, folders.length);
	if (total <= folders.length) return folders;
	throw await unreadableResponseError(
		context,
		FOLDER_LIST,
		`The service returned ${folders.length} of ${total === Infinity ? 'more' : total} folders, so the list is not complete.`,
	);
}

/** The folders of a list and, after each, those nested in it at any depth. Every record stays as the service returned it. */
function withNestedFolders(folders: IDataObject[]): IDataObject[] {
	return folders.flatMap((folder) => [folder, ...withNestedFolders(childrenOf(folder))]);
}

function childrenOf(folder: IDataObject): IDataObject[] {
	return Object.entries(folder)
		.filter(([name]) => CHILDREN_NAME.test(normalizedName(name)))
		.flatMap(([, value]) => (Array.isArray(value) ? (value as unknown[]) : []))
		.filter((child): child is IDataObject => isRecord(child) && folderUuidOf(child) !== undefined);
}

/**
 * The number of folders that a list response announces: a total, or `Infinity` when it mentions further pages. 0 when it
 * announces nothing.
 *
 * @param returned number of folders in the response
 */
function announcedTotal(body: unknown, returned: number): number {
	if (Array.isArray(body)) {
		const [list, count] = body as unknown[];
		return body.length === 2 && Array.isArray(list) && typeof count === 'number' ? count : 0;
	}
	const announced = [...fieldEntries(body)].map(({ path: names, value }) => {
		// A number is a place in a list.
		if (names.some((name) => /^\d+$/.test(name))) return 0;
		const name = normalizedName(names.at(-1) ?? '');
		if (TOTAL_NAME.test(name) && typeof value === 'number') return value;
		const hasPages = PAGE_COUNT_NAME.test(name) && typeof value === 'number' && value > 1;
		const hasMore = MORE_NAME.test(name) && value === true;
		return (hasPages || hasMore) && returned > 0 ? Infinity : 0;
	});
	return Math.max(0, ...announced);
}

/**
 * The application's folders as this run has read them, and when. The service has no operation for one folder
 * (docs/api-reference.md#list-galleries), so the list is read once for each run.
 */
export const listOfRun = perRun((): { folders?: IDataObject[]; readAt: number } => ({ readAt: 0 }));

/**
 * All folders of the application, read once for each run.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext): Promise<IDataObject[]> {
	const list = listOfRun(context);
	if (!list.folders) {
		list.readAt = Date.now();
		list.folders = await listFolders(context);
	}
	return list.folders;
}

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findFolder(context: ServiceContext, uuid: string): Promise<IDataObject | undefined> {
	const folders = await foldersOfRun(context);
	return folders.find((folder) => isSameUuid(folderUuidOf(folder), uuid));
}

/**
 * The one folder with this name. Names are case-sensitive; white space around them is ignored.
 *
 * @throws NodeOperationError that lists the UUIDs when more than one folder has this name
 */
export async function findFolderByName(
	context: ServiceContext,
	name: string,
): Promise<IDataObject | undefined> {
	const folders = await foldersOfRun(context);
	const sameName = folders.filter((folder) => isSameName(folderNameOf(folder) ?? '', name));
	const uuids = [...new Set(sameName.map((folder) => folderUuidOf(folder)?.toLowerCase()))];
	if (uuids.length < 2) return sameName[0];
	throw operationError(
		context,
		`${uuids.length} folders have the name "${name}": ${uuids.join(', ')}`,
		'Choose one of them By UUID.',
	);
}
