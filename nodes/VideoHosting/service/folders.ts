import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from '../transport/credential';
import { unreadableResponseError } from '../transport/errors';
import { announcedPages, nextQuery, withNestedFolders } from './folderPages';
import { readListResponse, uniqueRecords } from './paging';
import { isRecord } from '../shared/jsonFields';
import { folderUuidOf } from './recordFields';
import { path, requestJson } from '../transport/request';
import type { ServiceRequest } from '../transport/serviceRequest';

/**
 * All galleries of the application (docs/api-reference.md#list-galleries), those inside others as well. The reference shows
 * no paging; further pages are read only if a response shows that there are some, or if a bare list has a round number of
 * records and docs/api-reference.md#count-galleries counts more.
 *
 * @throws NodeApiError as {@link readListResponse}, or when a response counts folders that the service does not return
 */
export async function listFolders(context: ServiceContext, itemIndex?: number): Promise<IDataObject[]> {
	const read = async (query: IDataObject | undefined, page: number) =>
		await readListResponse(context, { ...FOLDER_LIST, query, itemIndex }, 'folders', page);
	const { list, body } = await read(undefined, 1);
	const isRoot = isFolder(body);
	const top = isRoot ? [body] : list;
	const folders = withNestedFolders(top);
	const announced = isRoot ? undefined : announcedPages(body, top.length, folders.length);
	const isUnannounced =
		!announced && looksLikeFullPage(top) && (await countFolders(context, itemIndex)) > folders.length;
	if (!announced && !isUnannounced) return folders;

	let next = nextQuery(body) ?? { page: 2 };
	const byPage = uniqueRecords(async (page) => {
		if (page === 1) return folders;
		const { list: records, body: pageBody } = await read(next, page);
		next = nextQuery(pageBody) ?? { page: page + 1 };
		return withNestedFolders(records);
	});
	const all: IDataObject[] = [];
	for await (const records of byPage) all.push(...records);
	const total = announced?.total ?? (announced ? folders.length + 1 : 0);
	if (all.length >= total) return all;
	throw await unreadableResponseError(
		context,
		FOLDER_LIST,
		`The service returned ${all.length} of ${announced?.total ?? 'more'} folders: the others are on pages that cannot be read`,
	);
}

const FOLDER_LIST: ServiceRequest = { method: 'GET', path: path('folders') };

/** One folder that contains all others comes without a list around it. */
function isFolder(body: unknown): body is IDataObject {
	// Parsed JSON: an object is an IDataObject.
	return isRecord(body) && folderUuidOf(body) !== undefined;
}

/** Pages usually have 10, 20, 25, 50 or 100 records. */
function looksLikeFullPage(records: IDataObject[]): boolean {
	return records.length >= 10 && records.length % 5 === 0;
}

async function countFolders(context: ServiceContext, itemIndex?: number): Promise<number> {
	const request: ServiceRequest = { method: 'GET', path: path('folders', 'total'), itemIndex };
	const body = await requestJson(context, request);
	return isRecord(body) && typeof body.folders === 'number' ? body.folders : 0;
}
