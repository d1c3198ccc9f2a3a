import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from './credential';
import { readList } from './paging';
import { folderUuidOf } from './records';
import { path } from './request';

const listings = new WeakMap<ServiceContext, Promise<IDataObject[]>>();

/**
 * All galleries of the application (9). The reference gives no paging here: one answer holds them all.
 *
 * @throws NodeApiError as {@link readList}
 */
export async function listFolders(context: ServiceContext, itemIndex?: number): Promise<IDataObject[]> {
	return await readList(context, { method: 'GET', path: path('folders'), itemIndex }, 'folders');
}

/**
 * One gallery by its UUID. There is no operation for that (Endpoints, Galleries), so the list is read, once for each run
 * and again only when the gallery is not in it.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findFolder(
	context: ServiceContext,
	uuid: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const remembered = listings.get(context);
	const known = remembered && folderIn(await remembered, uuid);
	if (known) return known;
	const folders = await listFolders(context, itemIndex);
	listings.set(context, Promise.resolve(folders));
	return folderIn(folders, uuid);
}

function folderIn(folders: IDataObject[], uuid: string): IDataObject | undefined {
	return folders.find((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase());
}
