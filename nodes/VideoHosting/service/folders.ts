import type { IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { isRecord } from '../shared/jsonFields';
import type { ServiceContext } from '../transport/credential';
import { duringWhat, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { recordIn } from '../transport/response';
import { findOrCreate } from './findOrCreate';
import { foldersByPath, toFolder, type Folder } from './folder';
import { keyOf, ListsOfRun } from './lists';
import { FOLDERS, onlyMatch, requiredMatch } from './onlyMatch';
import { pagesOf, type Pages } from './paging';
import { comparableName, isSameUuid, LAG_MS } from './record';

/**
 * All folders of the application (docs/api-reference.md#list-galleries). The reference shows no paging, so the next page is requested
 * only when the list says that there are more. The list without a page may be page 0 or page 1.
 *
 * @throws NodeApiError when the list cannot be read, or is not whole
 */
export function folderPages(context: ServiceContext): Pages<Folder> {
	return pagesOf(context, {
		kind: 'folder',
		request: (page) => ({ method: 'GET', path: path('folders'), query: page === 0 ? {} : { page } }),
		toItem: toFolder,
		orders: [{}],
		otherOrders: [],
		firstPage: 0,
		isOnePage: true,
	});
}

/** Folders belong to the application. */
const NO_PLAN = '';

/** The list of all folders is read once for each run and half a minute. */
const lists = new ListsOfRun<Folder>({
	open: folderPages,
	idsOf: ({ uuid }) => (uuid === undefined ? [] : [uuid.toLowerCase()]),
	nameOf: ({ name }) => name,
	keptMs: LAG_MS,
});

/**
 * The folders that the list of a run shows.
 *
 * @param notBefore an older list is read anew; milliseconds since 1970
 * @throws NodeApiError when the list cannot be read
 */
export async function listedFolders(context: ServiceContext, notBefore?: number): Promise<readonly Folder[]> {
	return await lists.of(context, NO_PLAN, notBefore).all();
}

/**
 * All folders of the application: those of the list, and those that this process has created and the list need not show yet.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext): Promise<readonly Folder[]> {
	return await lists.withCreated(context, NO_PLAN);
}

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeOperationError when the application has no such folder; NodeApiError when the list cannot be read
 */
export async function existingFolder(context: ServiceContext, uuid: string): Promise<Folder> {
	const folder = (await foldersOfRun(context)).find((each) => isSameUuid(each.uuid, uuid));
	if (folder) return folder;
	throw operationError(
		context,
		`The application has no folder with the UUID ${uuid}`,
		'It may have been deleted, or belong to another application. A new one may take half a minute to be listed.',
	);
}

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param advice see {@link requiredMatch}
 * @throws NodeOperationError when no folder or more than one has this name; NodeApiError when the list cannot be read
 */
export async function resolveFolder(
	context: ServiceContext,
	folder: Reference,
	advice?: string,
): Promise<string> {
	if ('id' in folder) return folder.id;
	const folders = await foldersOfRun(context);
	const match = folderAt(context, folders, folder.name);
	return (match ?? requiredMatch(context, folders, FOLDERS, folder.name, undefined, advice)).uuid ?? '';
}

/** Like {@link resolveFolder}, but a folder that does not exist is created. */
export async function resolveOrCreateFolder(context: IExecuteFunctions, folder: Reference): Promise<string> {
	if ('id' in folder) return folder.id;
	const { item } = await createFolder(context, folder.name, { skipIfExists: true, isIdentified: true });
	return item.uuid ?? '';
}

/**
 * Creates a folder, or returns the folder of this name; see {@link findOrCreate}.
 *
 * @param skipIfExists whether to look for the folder first
 * @param isIdentified whether its UUID is needed, which the response to the creation may not contain
 * @returns `item`: of a new folder the response, which may contain no record; `isNew`: whether this call created it
 * @throws NodeOperationError when more than one folder has this name; NodeApiError when the list cannot be read or the service
 * rejects the folder
 */
export async function createFolder(
	context: IExecuteFunctions,
	name: string,
	{ skipIfExists, isIdentified }: { skipIfExists: boolean; isIdentified: boolean },
): Promise<{ item: Folder; isNew: boolean }> {
	const key = await keyOf(context, NO_PLAN, comparableName(name));
	const find = async (notBefore: number) => {
		const list = lists.of(context, NO_PLAN, notBefore);
		return folderAt(context, await list.all(), name) ?? lists.createdAs(key, list)?.item;
	};
	const { item, isNew } = await findOrCreate(context, key, skipIfExists ? find : undefined, async () => {
		// Tell the new folder from others with its name.
		const others = isIdentified && !skipIfExists ? await listedFolders(context, Infinity) : [];
		const created = await postFolder(context, name);
		const folder = isIdentified ? await identifiedFolder(context, created, name, others) : created;
		await lists.add(context, NO_PLAN, key, folder);
		return folder;
	});
	return { item: isIdentified ? await identifiedFolder(context, item, name) : item, isNew };
}

/**
 * The only folder with a name, else the only one at a path such as `2026 / January`, as the picker shows it.
 *
 * @throws NodeOperationError when there are several
 */
function folderAt(context: ServiceContext, folders: readonly Folder[], name: string): Folder | undefined {
	const named = onlyMatch(context, folders, FOLDERS, name);
	return named ?? onlyMatch(context, foldersByPath(folders), FOLDERS, name);
}

/**
 * A folder as the response to its creation contains it, or else as the list does.
 *
 * @throws NodeApiError or NodeOperationError when it cannot be found
 */
async function identifiedFolder(
	context: IExecuteFunctions,
	response: Folder,
	name: string,
	others: readonly Folder[] = [],
): Promise<Folder> {
	if (response.uuid !== undefined) return response;
	try {
		const isOther = ({ identity }: Folder) => others.some((other) => other.identity === identity);
		const folders = (await listedFolders(context, Infinity)).filter((folder) => !isOther(folder));
		const listed = onlyMatch(context, folders, FOLDERS, name);
		if (listed) return listed;
		throw operationError(
			context,
			'The service does not list it yet.',
			'Look for it in a few minutes before you run this again.',
		);
	} catch (error) {
		// The folder exists, so a retry must not create it again.
		const failure = noteCarriedOut(toNodeError(context, error));
		return duringWhat(context, `The folder "${name}" was created, but cannot be found.`)(failure);
	}
}

/** See docs/api-reference.md#create-a-gallery, whose only field is the name; the response is not documented. */
async function postFolder(context: IExecuteFunctions, name: string): Promise<Folder> {
	const request = { method: 'POST', path: path('folders'), body: { name } } as const;
	// The operation may be Upload or Move.
	const doing = duringWhat(context, `Creating the folder "${name}":`);
	const response = await requestJson(context, request).catch(doing);
	const record = recordIn(response, 'folder');
	const folder = toFolder(isRecord(record) ? record : { result: record });
	return { ...folder, name: folder.name ?? name };
}

/**
 * Notes a change of a folder in the list of the run, see {@link ListsOfRun}.
 *
 * @param newName undefined for a deleted folder
 * @param oldName if known
 */
export async function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	{ newName, oldName }: { newName?: string; oldName?: string },
): Promise<void> {
	const changed = { ids: [uuid.toLowerCase()], name: oldName };
	if (newName === undefined) await lists.remove(context, changed);
	else await lists.replace(context, changed, ({ record }) => toFolder({ ...record, name: newName }));
}
