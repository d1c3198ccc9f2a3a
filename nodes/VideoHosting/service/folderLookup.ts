import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { FolderReference } from '../parameters/identifiers';
import { toNodeError } from '../transport/errors';
import { listFolders } from './folders';
import { path, requestJson } from '../transport/request';
import { isRecord } from '../shared/jsonFields';
import { folderNameOf, folderUuidOf } from './recordFields';
import { extractRecord } from './responseParsing';

/**
 * What one run of a node knows of the application's folders. The service has no operation for one
 * folder (docs/api-reference.md#list-galleries), so the list is read once for each run.
 */
interface FolderDirectory {
	/** Undefined until the list is read, and after a reading that failed. */
	listing?: Promise<IDataObject[]>;
	/** Folders that this run creates or has created, by the name that was requested. */
	created: Map<string, Promise<IDataObject>>;
	/** Names of folders that this run has created, and that the list did not contain after that. */
	unlisted: Set<string>;
}

/** n8n makes one context for each run of a node. */
const directories = new WeakMap<IExecuteFunctions, FolderDirectory>();

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findFolder(
	context: IExecuteFunctions,
	uuid: string,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const folders = await foldersOfRun(context, itemIndex);
	return folders.find((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase());
}

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param createIfMissing whether to create a folder with this name if it does not exist, once even for many items at the same time
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
 * The one folder with this name, or a new one. Calls that run at the same time create it once.
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
	const existing = await findFolderByName(context, name, itemIndex);
	if (existing) return { folder: existing, created: false };
	const directory = folderDirectoryOf(context);
	const { created, unlisted } = directory;
	if (unlisted.has(comparableName(name))) {
		directory.listing = undefined;
		const listed = await findFolderByName(context, name, itemIndex);
		if (listed) return { folder: listed, created: false };
		throw unlistedFolderError(context, name, itemIndex);
	}
	const other = created.get(comparableName(name));
	if (other) {
		const folder = await other.catch(() => undefined);
		// The other item reports its own failure; this one retries.
		return folder
			? { folder, created: false }
			: await findOrCreateFolder(context, name, itemIndex, beforeCreate);
	}
	const creation = beforeCreate().then(async () => await createFolder(context, name, itemIndex));
	created.set(comparableName(name), creation);
	try {
		return { folder: await creation, created: true };
	} catch (error) {
		created.delete(comparableName(name));
		throw toNodeError(context, error);
	}
}

/**
 * The one folder with this name. Names are case-sensitive; white space around them is ignored.
 *
 * @throws NodeOperationError that lists the UUIDs when more than one folder has this name
 */
async function findFolderByName(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
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
	const directory = folderDirectoryOf(context);
	const before = await foldersOfRun(context, itemIndex);
	try {
		const record = extractRecord(await postFolder(context, name, itemIndex), 'folder');
		const created = isRecord(record) ? record : {};
		if (folderUuidOf(created) !== undefined) {
			// Some services return only the identifier.
			const folder = folderNameOf(created) === undefined ? { name, ...created } : created;
			before.push(folder);
			return folder;
		}
	} catch (error) {
		// The folder may still exist: the next item reads the list again.
		directory.listing = undefined;
		throw toNodeError(context, error);
	}
	directory.listing = undefined;
	const folder = await findFolderByName(context, name, itemIndex);
	if (folder) return folder;
	directory.unlisted.add(comparableName(name));
	throw unlistedFolderError(context, name, itemIndex);
}

function unlistedFolderError(
	context: IExecuteFunctions,
	name: string,
	itemIndex: number,
): NodeOperationError {
	return new NodeOperationError(context.getNode(), `The service does not list the new folder "${name}" yet`, {
		itemIndex,
		description: 'The folder was created. Run this again in a few minutes.',
	});
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
export async function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	change: IDataObject | undefined,
): Promise<void> {
	const folders = await directories.get(context)?.listing;
	const index =
		folders?.findIndex((folder) => folderUuidOf(folder)?.toLowerCase() === uuid.toLowerCase()) ?? -1;
	const folder = folders?.[index];
	if (folder) folders.splice(index, 1, ...(change ? [{ ...folder, ...change }] : []));
}

/**
 * All folders of the application, read once for each run.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: IExecuteFunctions, itemIndex: number): Promise<IDataObject[]> {
	const directory = folderDirectoryOf(context);
	const { listing } = directory;
	if (listing) {
		const folders = await listing.catch(() => undefined);
		// The other item reports its own failure; this one reads again.
		return folders ?? (await foldersOfRun(context, itemIndex));
	}
	const reading = listFolders(context, itemIndex);
	directory.listing = reading;
	try {
		return await reading;
	} catch (error) {
		if (directory.listing === reading) directory.listing = undefined;
		throw toNodeError(context, error);
	}
}

function folderDirectoryOf(context: IExecuteFunctions): FolderDirectory {
	const directory = directories.get(context) ?? {
		created: new Map<string, Promise<IDataObject>>(),
		unlisted: new Set<string>(),
	};
	directories.set(context, directory);
	return directory;
}

/** The same letters may be written with combined or separate accents (Unicode normalization form C). */
function comparableName(name: string): string {
	return name.trim().normalize('NFC');
}
