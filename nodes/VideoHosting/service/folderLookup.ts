import {
	NodeApiError,
	type IDataObject,
	type IExecuteFunctions,
	type NodeOperationError,
} from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { firstText, isRecord } from '../shared/jsonFields';
import type { ServiceContext } from '../transport/credential';
import { isServiceError, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { Creation, forgetCreated } from './creation';
import { findFolder, findFolderByName, foldersOfRun, listOfRun } from './folders';
import { comparableName, folderNameOf, folderUuidOf, isSameName, isSameUuid } from './recordFields';
import { extractRecord, mayMeanUnknownRecord } from './responseParsing';

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param createIfMissing whether to create a folder with this name if it does not exist; undefined where there is no such option
 * @param beforeCreate called before a folder is created; when it throws, none is
 * @throws NodeOperationError when no folder or more than one has this name; NodeApiError when the list cannot be read or the
 * folder cannot be created
 */
export async function resolveFolder(
	context: IExecuteFunctions,
	folder: Reference,
	{ createIfMissing, beforeCreate }: { createIfMissing?: boolean; beforeCreate?: () => Promise<void> } = {},
): Promise<string> {
	if ('id' in folder) return folder.id;
	const { name } = folder;
	const found = createIfMissing
		? (await findOrCreateFolder(context, name, beforeCreate)).record
		: await findFolderByName(context, name);
	const uuid = found && folderUuidOf(found);
	if (uuid !== undefined) return uuid;
	throw operationError(
		context,
		`The application has no folder with the name "${name}"`,
		`Check Folder: the name must match exactly, including upper and lower case.${createIfMissing === false ? ' Or switch on Create Folder If Missing.' : ''}`,
	);
}

/**
 * The one folder with this name, or a new one: one for all executions of this process, also while the list does not show it yet.
 *
 * @param beforeCreate called before the folder is created; what it throws is thrown, and nothing is created
 * @returns `isNew` as of {@link Creation.findOrCreate}
 * @throws NodeOperationError when more than one folder has this name; NodeApiError as {@link createFolder}
 */
export async function findOrCreateFolder(
	context: IExecuteFunctions,
	name: string,
	beforeCreate: () => Promise<void> = async () => {},
): Promise<{ record: IDataObject; isNew: boolean }> {
	const creation = await creationOf(context, name);
	return await creation.findOrCreate({
		findListed: async () => {
			const list = listOfRun(context);
			const known = list.folders && (await findFolderByName(context, name));
			// Somebody else may have created it.
			if (!known) list.folders = undefined;
			const record = known ?? (await findFolderByName(context, name));
			return record && { record, readAt: list.readAt };
		},
		identityOf,
		isThere: async (folder) => {
			const isThere = await isStillThere(context, folder, name);
			if (isThere) (await foldersOfRun(context)).push(folder);
			return isThere;
		},
		create: async () => {
			await beforeCreate();
			const response = await post(context, creation, name).catch((error: unknown) => {
				// The node may be about something else than the folder.
				if (error instanceof NodeApiError)
					error.message = `Creating the folder "${name}" failed. ${error.message}`;
				throw toNodeError(context, error);
			});
			return await newFolder(context, response, name);
		},
		unlistedError: (isUncertain) => unlistedFolderError(context, name, isUncertain),
	});
}

async function creationOf(context: ServiceContext, name: string): Promise<Creation> {
	return await Creation.of(context, 'folder', undefined, comparableName(name));
}

/**
 * Whether a folder that the list does not show under its name was neither renamed nor deleted. There is no operation for one folder;
 * that for its disk usage (docs/api-reference.md#disk-usage-of-a-gallery) may report that it does not exist.
 */
async function isStillThere(context: IExecuteFunctions, folder: IDataObject, name: string): Promise<boolean> {
	const uuid = folderUuidOf(folder) ?? '';
	if (await findFolder(context, uuid)) return false;
	const request = { method: 'GET', path: path('videos', 'diskusagebyfolderandvideo', uuid) } as const;
	const headers = { 'Content-Type': 'application/json' };
	try {
		await requestJson(context, { ...request, headers });
		return true;
	} catch (error) {
		const rejection = toNodeError(context, error);
		// Either may also mean that the folder has no videos yet.
		if (mayMeanUnknownRecord(rejection)) return /\bvideos?\b/i.test(rejection.message);
		if (isServiceError(rejection, /^(200|404)$/))
			return !/\b(folder|gallery)\b.*not found/i.test(rejection.message);
		throw operationError(
			context,
			`The service does not list the new folder "${name}" yet, and its disk usage, which would show that it exists, cannot be read. ${rejection.message}`,
			'Run this again in a few minutes.',
		);
	}
}

/**
 * Creates a folder whose description is to be set, whether another one has its name or not.
 *
 * @throws NodeApiError when the service rejects it; NodeOperationError when neither the response nor the list shows which one it is
 */
export async function createFolder(context: IExecuteFunctions, name: string): Promise<IDataObject> {
	const creation = await creationOf(context, name);
	return await creation.inTurn(async () => {
		const response = await post(context, creation, name);
		const folder = await newFolder(context, response, name);
		// One of the list that has a description is another one of the same name.
		const isNew = folderIn(response, name) !== undefined || firstText(folder, ['description']) === undefined;
		if (!isNew) throw noteCarriedOut(unlistedFolderError(context, name));
		creation.noteFound({ record: folder, readAt: Date.now() }, { identityOf });
		return folder;
	});
}

/** The new folder in the response to its creation, else in the list. It is added to the folders of this run. */
async function newFolder(context: IExecuteFunctions, response: unknown, name: string): Promise<IDataObject> {
	const list = listOfRun(context);
	const folder = folderIn(response, name);
	if (folder) {
		list.folders?.push(folder);
		return folder;
	}
	list.folders = undefined;
	const listed = await findFolderByName(context, name).catch((error: unknown) => {
		const failure = noteCarriedOut(toNodeError(context, error));
		failure.message = `The folder "${name}" was created, but cannot be found. ${failure.message}`;
		throw failure;
	});
	if (!listed) throw noteCarriedOut(unlistedFolderError(context, name));
	return listed;
}

function identityOf(folder: IDataObject): string | undefined {
	return folderUuidOf(folder)?.toLowerCase();
}

/** The folder in the response to its creation, when it has a UUID; some services return only that. */
function folderIn(response: unknown, name: string): IDataObject | undefined {
	const record = extractRecord(response, 'folder');
	if (!isRecord(record) || folderUuidOf(record) === undefined) return undefined;
	return folderNameOf(record) === undefined ? { name, ...record } : record;
}

function unlistedFolderError(
	context: IExecuteFunctions,
	name: string,
	isUncertain = false,
): NodeOperationError {
	const message = isUncertain
		? `The folder "${name}" may have been created, but the service does not list it yet`
		: `The service does not list the new folder "${name}" yet`;
	return operationError(context, message, 'Run this again in a few minutes.');
}

/**
 * The request of docs/api-reference.md#create-a-gallery, whose only field is the name. The folder is remembered while no list shows it.
 *
 * @throws NodeApiError when the service rejects it
 */
export async function postFolder(context: IExecuteFunctions, name: string): Promise<unknown> {
	const creation = await creationOf(context, name);
	return await creation.inTurn(async () => await post(context, creation, name));
}

async function post(context: IExecuteFunctions, creation: Creation, name: string): Promise<unknown> {
	const headers = { 'Content-Type': 'application/json' };
	const request = { method: 'POST', path: path('folders'), headers, body: { name } } as const;
	return await creation.send(
		async () => await requestJson(context, request),
		(response) => folderIn(response, name),
	);
}

/**
 * Applies the change of a folder to the folders of this run, and to what this process has created.
 *
 * @param change undefined for a deleted folder
 */
export async function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	change: IDataObject | undefined,
): Promise<void> {
	const isIt = (folder: IDataObject) => isSameUuid(folderUuidOf(folder), uuid);
	const { name } = change ?? {};
	const isOther = (folder: IDataObject) =>
		isIt(folder) && (!change || (typeof name === 'string' && !isSameName(folderNameOf(folder) ?? '', name)));
	await forgetCreated(context, 'folder', isOther);
	const { folders = [] } = listOfRun(context);
	const index = folders.findIndex(isIt);
	const folder = folders[index];
	if (folder) folders.splice(index, 1, ...(change ? [{ ...folder, ...change }] : []));
}
