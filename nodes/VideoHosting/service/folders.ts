import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { isRecord } from '../shared/jsonFields';
import { perRun } from '../shared/perRun';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { forgetCreated, once } from './once';
import { idOfOnlyMatch, onlyMatch } from './onlyMatch';
import { readList } from './paging';
import { comparableName, folderNameOf, folderUuidOf, isSameUuid, FOLDERS } from './recordFields';
import { extractRecord } from './responseParsing';

/**
 * All galleries of the application (docs/api-reference.md#list-galleries). The reference shows no paging.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function listFolders(context: ServiceContext): Promise<IDataObject[]> {
	return await readList(context, { method: 'GET', path: path('folders') }, 'folders');
}

/** The application's folders as this run has read them. */
const listOfRun = perRun((): { folders?: IDataObject[] } => ({}));

/**
 * All folders of the application, read once for each run: the service has no operation for one folder.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext): Promise<readonly IDataObject[]> {
	const list = listOfRun(context);
	list.folders ??= await listFolders(context);
	return list.folders;
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
): Promise<IDataObject> {
	const folders = await foldersOfRun(context);
	const folder = folders.find((each) => isSameUuid(folderUuidOf(each), uuid));
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
	const folders = await foldersOfRun(context);
	return idOfOnlyMatch(context, folders, FOLDERS, folder.name, { check });
}

/** Like {@link resolveFolder}, but a folder that does not exist is created. */
export async function resolveOrCreateFolder(context: IExecuteFunctions, folder: Reference): Promise<string> {
	if ('id' in folder) return folder.id;
	const { record } = await createFolder(context, folder.name, true);
	return folderUuidOf(await identifiedFolder(context, record, folder.name)) ?? '';
}

/**
 * Creates a folder, or returns the one with this name: one for all items and executions of this process.
 *
 * @param skipIfExists without it, a folder of the same name does not matter
 * @returns `record`: of a new folder the response, which may contain no record; `isNew`: whether this call created it
 * @throws NodeOperationError when more than one folder has this name; NodeApiError when the list cannot be read or the service
 * rejects the folder
 */
export async function createFolder(
	context: IExecuteFunctions,
	name: string,
	skipIfExists: boolean,
): Promise<{ record: IDataObject; isNew: boolean }> {
	const { applicationId } = await serviceCredential(context);
	const find = async () => {
		const known = onlyMatch(context, listOfRun(context).folders ?? [], FOLDERS, name);
		// Another program may have created it since the list was read.
		return known ?? onlyMatch(context, await readAgain(context), FOLDERS, name);
	};
	return await once(context, {
		kind: 'folder',
		owner: applicationId,
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
	response: IDataObject,
	name: string,
): Promise<IDataObject> {
	if (folderUuidOf(response) !== undefined) return response;
	try {
		const listed = onlyMatch(context, await readAgain(context), FOLDERS, name);
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
async function postFolder(context: IExecuteFunctions, name: string): Promise<IDataObject> {
	const headers = { 'Content-Type': 'application/json' };
	const request = { method: 'POST', path: path('folders'), headers, body: { name } } as const;
	const response = await requestJson(context, request).catch((error: unknown) => {
		// The node may be about something else than the folder.
		const failure = toNodeError(context, error);
		failure.message = `Creating the folder "${name}": ${failure.message}`;
		throw failure;
	});
	const record = extractRecord(response, 'folder');
	// What is not an object is a JSON value all the same.
	const folder = isRecord(record) ? record : { result: record as IDataObject[string] };
	if (folderUuidOf(folder) !== undefined) listOfRun(context).folders?.push({ name, ...folder });
	return folder;
}

async function readAgain(context: ServiceContext): Promise<readonly IDataObject[]> {
	listOfRun(context).folders = undefined;
	return await foldersOfRun(context);
}

/**
 * Applies the change of a folder to the folders of this run, and forgets that this process created what is renamed or deleted.
 *
 * @param change undefined for a deleted folder
 */
export function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	change: IDataObject | undefined,
): void {
	const isIt = (folder: IDataObject) => isSameUuid(folderUuidOf(folder), uuid);
	if (!change || 'name' in change) forgetCreated('folder', isIt, change && folderNameOf(change));
	const list = listOfRun(context);
	list.folders = list.folders?.flatMap((folder) => {
		if (!isIt(folder)) return [folder];
		return change ? [{ ...folder, ...change }] : [];
	});
}
