import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { isRecord } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';
import { applicationOf, type ServiceContext } from '../transport/credential';
import { noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { recordIn } from '../transport/response';
import { toFolder, type Folder } from './folder';
import { Creations } from './once';
import { FOLDERS, onlyMatch, requiredMatch } from './onlyMatch';
import { firstRecords, pagesOf, readPage, type Page } from './paging';
import { comparableName, isSameUuid } from './record';

/**
 * All folders of the application (docs/api-reference.md#list-galleries). The reference shows no paging, so the next page is requested
 * only when the list says that there are more.
 *
 * @throws NodeApiError when the list cannot be read, or is not whole
 */
export async function listFolders(context: ServiceContext): Promise<Folder[]> {
	const read = async (page?: number) =>
		await readPage(context, { method: 'GET', path: path('folders'), query: { page } }, 'folder', toFolder);
	let first: Page<Folder> | undefined;
	/** Where pages count from 0, the list without a page is page 0. */
	let shift = 0;
	const reader = async (page: number) => {
		first ??= await read();
		if (page === 1) return first;
		const next = await read(page - 1 + shift);
		const known = new Set(first.items.map(({ identity }) => identity));
		if (next.items.some(({ identity }) => !known.has(identity))) return next;
		shift = 1;
		return await read(page);
	};
	return await firstRecords(pagesOf(context, 'folder', [reader], true));
}

/** The application's folders as this run has read them. */
const listOfRun = perRun((): { folders?: Folder[] } => ({}));

const folderCreations = new Creations<Folder>(({ uuid }) => uuid?.toLowerCase());

/**
 * All folders of the application, read once for each run, and those that this process has created and no list shows yet.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext): Promise<readonly Folder[]> {
	const list = listOfRun(context);
	list.folders ??= await listFolders(context);
	return await folderCreations.withCreated(context, await applicationOf(context), list.folders);
}

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeOperationError when the application has no such folder; NodeApiError when the list cannot be read
 */
export async function existingFolder(
	context: ServiceContext,
	uuid: string,
	advice = 'It may have been deleted, or belong to another application.',
): Promise<Folder> {
	const folders = await foldersOfRun(context);
	const folder = folders.find((each) => isSameUuid(each.uuid, uuid));
	if (folder) return folder;
	throw operationError(context, `The application has no folder with the UUID ${uuid}`, advice);
}

/** For {@link resolveFolder} where the node has that option. */
export const OR_CREATE_FOLDER = ', or switch on Create Folder If Missing';

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param check what else to do when no folder has the name, after "Check Folder"
 * @throws NodeOperationError when no folder or more than one has this name; NodeApiError when the list cannot be read
 */
export async function resolveFolder(
	context: ServiceContext,
	folder: Reference,
	check?: string,
): Promise<string> {
	if ('id' in folder) return folder.id;
	const folders = await folderCreations.existing(context, await foldersOfRun(context));
	return requiredMatch(context, folders, FOLDERS, folder.name, { check }).uuid ?? '';
}

/** Like {@link resolveFolder}, but a folder that does not exist is created. */
export async function resolveOrCreateFolder(context: IExecuteFunctions, folder: Reference): Promise<string> {
	if ('id' in folder) return folder.id;
	const { item } = await createFolder(context, folder.name, true);
	return (await identifiedFolder(context, item, folder.name)).uuid ?? '';
}

/**
 * Creates a folder, or returns the folder of this name; see {@link Creations.once}.
 *
 * @param skipIfExists whether to look for the folder first
 * @returns `item`: of a new folder the response, which may contain no record; `isNew`: whether this call created it
 * @throws NodeOperationError when more than one folder has this name; NodeApiError when the list cannot be read or the service
 * rejects the folder
 */
export async function createFolder(
	context: IExecuteFunctions,
	name: string,
	skipIfExists: boolean,
): Promise<{ item: Folder; isNew: boolean }> {
	const find = async () => {
		const isRead = listOfRun(context).folders !== undefined;
		const match = async (folders: readonly Folder[]) =>
			onlyMatch(context, await folderCreations.existing(context, folders), FOLDERS, name);
		const known = await match(await foldersOfRun(context));
		// Another program may have created it since the list was read.
		return known || !isRead ? known : await match(await readAgain(context));
	};
	return await folderCreations.once(context, {
		owner: await applicationOf(context),
		name: [comparableName(name)],
		find: skipIfExists ? find : undefined,
		create: async () => await postFolder(context, name),
	});
}

/**
 * A folder as the response to its creation contains it, or else as the list does.
 *
 * @throws NodeApiError or NodeOperationError when it cannot be found
 */
export async function identifiedFolder(
	context: IExecuteFunctions,
	response: Folder,
	name: string,
	others: readonly Folder[] = [],
): Promise<Folder> {
	if (response.uuid !== undefined) return response;
	try {
		const isOther = ({ identity }: Folder) => others.some((other) => other.identity === identity);
		const folders = (await readAgain(context)).filter((folder) => !isOther(folder));
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
		failure.message = `The folder "${name}" was created, but cannot be found. ${failure.message}`;
		throw failure;
	}
}

/** See docs/api-reference.md#create-a-gallery, whose only field is the name; the response is not documented. */
async function postFolder(context: IExecuteFunctions, name: string): Promise<Folder> {
	const request = { method: 'POST', path: path('folders'), body: { name } } as const;
	const response = await requestJson(context, request).catch((error: unknown) => {
		// The operation may be Upload or Move.
		const failure = toNodeError(context, error);
		failure.message = `Creating the folder "${name}": ${failure.message}`;
		throw failure;
	});
	const record = recordIn(response, 'folder');
	const folder = toFolder(isRecord(record) ? record : { result: record });
	return { ...folder, name: folder.name ?? name };
}

async function readAgain(context: ServiceContext): Promise<readonly Folder[]> {
	listOfRun(context).folders = undefined;
	return await foldersOfRun(context);
}

/**
 * Applies the change of a folder to the folders of this run, and forgets that this process created what is renamed or deleted.
 *
 * @param change undefined for a deleted folder
 * @param oldName before the change, if known
 */
export async function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	change: IDataObject | undefined,
	oldName?: string,
): Promise<void> {
	const isIt = (folder: Folder) => isSameUuid(folder.uuid, uuid);
	const apply = (folder: Folder) => toFolder({ ...folder.record, ...change });
	const changed = change && { name: toFolder(change).name, apply };
	const list = listOfRun(context);
	await folderCreations.note(context, isIt, oldName ?? list.folders?.find(isIt)?.name, changed);
	list.folders = list.folders?.flatMap((folder) => (isIt(folder) ? (changed?.apply(folder) ?? []) : folder));
}
