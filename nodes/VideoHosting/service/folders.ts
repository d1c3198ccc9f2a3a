import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from './credential';
import { readList } from './paging';
import { folderUuidOf } from './responseParsing';
import { path } from './request';

/** The list of each run: n8n makes one context for each run of a node. */
const listings = new WeakMap<ServiceContext, IDataObject[]>();

/**
 * All galleries of the application. There is no paging: one response holds them all
 * (docs/api-reference.md#list-galleries).
 *
 * @throws NodeApiError as {@link readList}
 */
export async function listFolders(context: ServiceContext, itemIndex?: number): Promise<IDataObject[]> {
	return await readList(context, { method: 'GET', path: path('folders'), itemIndex }, 'folders');
}

/**
 * One gallery by its UUID. There is no operation for that (docs/api-reference.md#list-galleries), so the list is
 * read, once for each run.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findFolder(
	context: ServiceContext,
	uuid: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const folders = listings.get(context) ?? (await listFolders(context, itemIndex));
	listings.set(context, folders);
	return folders.find((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase());
}
