import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { FolderReference } from '../parameters/identifiers';
import { perRun } from '../shared/perRun';
import { listFolders } from './folders';
import type { ServiceContext } from '../transport/credential';
import { mayBeCarriedOut } from '../transport/errors';
import { cancelSignal, path, requestJson } from '../transport/request';
import { isRecord } from '../shared/jsonFields';
import { comparableName } from './recordByName';
import {
	folderKey,
	forgetFolderOfUuid,
	forgetNewFolder,
	inTurn,
	rememberNewFolder,
	unlistedFolder,
} from './newFolders';
import { folderNameOf, folderUuidOf } from './recordFields';
import { extractRecord } from './responseParsing';

/**
 * The application's folders as this run has read them. The service has no operation for one folder
 * (docs/api-reference.md#list-galleries), so the list is read once for each run.
 */
const listOfRun = perRun((): { folders?: IDataObject[] } => ({}));

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findFolder(
	context: ServiceContext,
	uuid: string,
	itemIndex?: number,
): Promise<IDataObject | undefined> {
	const folders = await foldersOfRun(context, itemIndex);
	return folders.find((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase());
}

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param createIfMissing whether to create a folder with this name if it does not exist
 * @param beforeCreate called before a folder is created; when it throws, none is
 * @throws NodeOperationError when no folder or more than one has this name; NodeApiError when the list cannot be read or the
 * folder cannot be created
 */
export async function resolveFolder(
	context: IExecuteFunctions,
	folder: FolderReference,
	{
		itemIndex,
		createIfMissing = false,
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
		description: 'Check Folder: the name must match exactly, including upper and lower case.',
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
			forgetNewFolder(key);
			return { folder: listed, created: false };
		}
		const unlisted = unlistedFolder(key);
		if (unlisted?.record) {
			(await foldersOfRun(context, itemIndex)).push(unlisted.record);
			return { folder: unlisted.record, created: false };
		}
		if (unlisted) throw unlistedFolderError(context, name, itemIndex, unlisted.isUncertain);
		await beforeCreate();
		return { folder: await createFolder(context, name, itemIndex), created: true };
	});
}

/**
 * The one folder with this name. Names are case-sensitive; white space around them is ignored.
 *
 * @throws NodeOperationError that lists the UUIDs when more than one folder has this name
 */
export async function findFolderByName(
	context: ServiceContext,
	name: string,
	itemIndex?: number,
): Promise<IDataObject | undefined> {
	const folders = await foldersOfRun(context, itemIndex);
	const sameName = folders.filter(
		(folder) => comparableName(folderNameOf(folder) ?? '') === comparableName(name),
	);
	const uuids = [...new Set(sameName.map((folder) => folderUuidOf(folder)?.toLowerCase()))];
	if (uuids.length < 2) return sameName[0];
	throw new NodeOperationError(
		context.getNode(),
		`${uuids.length} folders have the name "${name}": choose one By UUID. Their UUIDs are ${uuids.join(', ')}`,
		{ itemIndex },
	);
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
			rememberNewFolder(key, { isUncertain: true });
		throw error;
	});
	const record = extractRecord(response, 'folder');
	const created = isRecord(record) ? record : {};
	if (folderUuidOf(created) !== undefined) {
		// Some services return only the identifier.
		const folder = folderNameOf(created) === undefined ? { name, ...created } : created;
		rememberNewFolder(key, { record: folder });
		listOfRun(context).folders?.push(folder);
		return folder;
	}
	rememberNewFolder(key, {});
	listOfRun(context).folders = undefined;
	const folder = await findFolderByName(context, name, itemIndex);
	if (!folder) throw unlistedFolderError(context, name, itemIndex);
	forgetNewFolder(key);
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
	forgetFolderOfUuid(uuid);
	const { folders = [] } = listOfRun(context);
	const index = folders.findIndex((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase());
	const folder = folders[index];
	if (folder) folders.splice(index, 1, ...(change ? [{ ...folder, ...change }] : []));
}

/**
 * All folders of the application, read once for each run.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext, itemIndex?: number): Promise<IDataObject[]> {
	return (listOfRun(context).folders ??= await listFolders(context, itemIndex));
}
