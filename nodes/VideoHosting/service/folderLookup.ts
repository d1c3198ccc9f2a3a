import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { FolderReference } from '../parameters/identifiers';
import { isRecord } from '../shared/jsonFields';
import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { mayBeCarriedOut, toNodeError } from '../transport/errors';
import { cancelSignal, path, requestJson } from '../transport/request';
import { findFolderByName, foldersOfRun, listOfRun } from './folders';
import { comparableName, folderNameOf, folderUuidOf, isSameUuid } from './recordFields';
import { extractRecord } from './responseParsing';

/** How long a new folder that the list does not show is known, in milliseconds. */
const UNLISTED_MS = 10 * 60 * 1000;

/** A folder that this process has created, perhaps, and that no list has shown since. */
interface NewFolder {
	/** Undefined when the response contained no UUID, or there was none. */
	record?: IDataObject;
	/** Whether there was no response, so that the folder may not exist. */
	isUncertain?: boolean;
	createdAt: number;
}

/** By application and name. */
const newFolders = new Map<string, NewFolder>();

/** The last action of each application and name. */
const turns = new Map<string, Promise<unknown>>();

/** Identifies a folder's name in one application of one service. */
async function folderKey(context: ServiceContext, name: string): Promise<string> {
	const { baseUrl, applicationId } = await serviceCredential(context);
	return JSON.stringify([baseUrl, applicationId, comparableName(name)]);
}

/** Runs an action when no other execution of this process looks for or creates the same folder. */
async function inTurn<T>(context: ServiceContext, key: string, action: () => Promise<T>): Promise<T> {
	const before = turns.get(key) ?? Promise.resolve();
	const result = before.then(async () => {
		cancelSignal(context)?.throwIfAborted();
		return await action();
	});
	// The others do not fail with this action.
	const turn = result.catch(() => undefined);
	turns.set(key, turn);
	void turn.then(() => {
		if (turns.get(key) === turn) turns.delete(key);
	});
	return await raceSignal(result, cancelSignal(context));
}

/** The folder that this process created a short time ago, and that no list has shown since. */
function unlistedFolder(key: string): NewFolder | undefined {
	for (const [other, { createdAt }] of newFolders) {
		if (Date.now() - createdAt > UNLISTED_MS) newFolders.delete(other);
	}
	return newFolders.get(key);
}

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
	folder: FolderReference,
	{
		itemIndex,
		createIfMissing,
		beforeCreate,
	}: { itemIndex: number; createIfMissing?: boolean; beforeCreate?: () => Promise<void> },
): Promise<string> {
	if ('uuid' in folder) return folder.uuid;
	const { name } = folder;
	const found = createIfMissing
		? (await findOrCreateFolder(context, name, itemIndex, beforeCreate)).folder
		: await findFolderByName(context, name, itemIndex);
	const uuid = found && folderUuidOf(found);
	if (uuid !== undefined) return uuid;
	throw new NodeOperationError(context.getNode(), `The application has no folder with the name "${name}"`, {
		itemIndex,
		description: `Check Folder: the name must match exactly, including upper and lower case.${createIfMissing === false ? ' Or switch on Create Folder If Missing.' : ''}`,
	});
}

/**
 * The one folder with this name, or a new one: one for all executions of this process, also while the list does not show it yet.
 *
 * @param beforeCreate called before the folder is created; what it throws is thrown, and nothing is created
 * @returns `created`: whether this call created it
 * @throws NodeOperationError when more than one folder has this name; NodeApiError as {@link createFolder}
 */
export async function findOrCreateFolder(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	beforeCreate: () => Promise<void> = async () => {},
): Promise<{ folder: IDataObject; created: boolean }> {
	const list = listOfRun(context);
	const known = list.folders && (await findFolderByName(context, name, itemIndex));
	if (known) return { folder: known, created: false };
	const key = await folderKey(context, name);
	return await inTurn(context, key, async () => {
		// Another execution may have created it, and a request that failed as well.
		list.folders = undefined;
		const listed = await findFolderByName(context, name, itemIndex);
		if (listed) {
			// From now on the list alone counts, also when the folder is deleted.
			newFolders.delete(key);
			return { folder: listed, created: false };
		}
		const unlisted = unlistedFolder(key);
		if (unlisted?.record) {
			(await foldersOfRun(context, itemIndex)).push(unlisted.record);
			return { folder: unlisted.record, created: false };
		}
		if (unlisted) throw unlistedFolderError(context, name, itemIndex, unlisted.isUncertain);
		await beforeCreate();
		const folder = await createFolder(context, name, itemIndex).catch((error: unknown) => {
			// The node may be about something else than the folder.
			const failure = toNodeError(context, error);
			failure.message = `Creating the folder "${name}" failed. ${failure.message}`;
			throw failure;
		});
		return { folder, created: true };
	});
}

/**
 * Creates a folder and adds it to the folders of this run. A response without a UUID is completed from the list.
 *
 * @throws NodeApiError when the service rejects it; NodeOperationError when the UUID is neither in the response nor in the
 * list
 */
export async function createFolder(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): Promise<IDataObject> {
	const key = await folderKey(context, name);
	const response = await postFolder(context, name, itemIndex).catch((error: unknown) => {
		if (mayBeCarriedOut(error) || cancelSignal(context)?.aborted)
			newFolders.set(key, { isUncertain: true, createdAt: Date.now() });
		throw error;
	});
	const record = extractRecord(response, 'folder');
	const created = isRecord(record) ? record : {};
	if (folderUuidOf(created) !== undefined) {
		// Some services return only the identifier.
		const folder = folderNameOf(created) === undefined ? { name, ...created } : created;
		newFolders.set(key, { record: folder, createdAt: Date.now() });
		listOfRun(context).folders?.push(folder);
		return folder;
	}
	newFolders.set(key, { createdAt: Date.now() });
	listOfRun(context).folders = undefined;
	const folder = await findFolderByName(context, name, itemIndex);
	if (!folder) throw unlistedFolderError(context, name, itemIndex);
	newFolders.delete(key);
	return folder;
}

function unlistedFolderError(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
	isUncertain = false,
): NodeOperationError {
	const message = isUncertain
		? `The folder "${name}" may have been created, but the service does not list it yet`
		: `The service does not list the new folder "${name}" yet`;
	const description = 'Run this again in a few minutes.';
	return new NodeOperationError(context.getNode(), message, { itemIndex, description });
}

/**
 * The request of docs/api-reference.md#create-a-gallery, whose only field is the name.
 *
 * @throws NodeApiError when the service rejects it
 */
export async function postFolder(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): Promise<unknown> {
	return await requestJson(context, {
		method: 'POST',
		path: path('folders'),
		headers: { 'Content-Type': 'application/json' },
		body: { name },
		itemIndex,
	});
}

/** Applies the change of a folder to the folders of this run; `change` is undefined for a deleted folder. */
export function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	change: IDataObject | undefined,
): void {
	const isIt = (folder: IDataObject) => isSameUuid(folderUuidOf(folder), uuid);
	for (const [key, { record }] of newFolders) if (record && isIt(record)) newFolders.delete(key);
	const { folders = [] } = listOfRun(context);
	const index = folders.findIndex(isIt);
	const folder = folders[index];
	if (folder) folders.splice(index, 1, ...(change ? [{ ...folder, ...change }] : []));
}
