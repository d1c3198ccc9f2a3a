import type { IExecuteFunctions } from 'n8n-workflow';

import type { Reference } from '../parameters/references';
import { isRecord } from '../shared/jsonFields';
import { applicationOf, type ServiceContext } from '../transport/credential';
import { duringWhat, noteCarriedOut, operationError, toNodeError } from '../transport/errors';
import { path, requestJson } from '../transport/request';
import { recordIn } from '../transport/response';
import { toFolder, type Folder } from './folder';
import { Creations, LAG_MS } from './once';
import { FOLDERS, onlyMatch, requiredMatch } from './onlyMatch';
import { ListsOfRun, pagesOf, readPage, type Page, type Pages } from './paging';
import { comparableName, isSameUuid } from './record';

/**
 * All folders of the application (docs/api-reference.md#list-galleries). The reference shows no paging, so the next page is requested
 * only when the list says that there are more.
 *
 * @throws NodeApiError when the list cannot be read, or is not whole
 */
export function folderPages(context: ServiceContext): Pages<Folder> {
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
	return pagesOf(context, 'folder', [reader], true);
}

/** The list of all folders is read once for each run and half a minute. */
const lists = new ListsOfRun(folderPages, LAG_MS);

const folderCreations = new Creations<Folder>(
	({ uuid }) => (uuid === undefined ? [] : [uuid.toLowerCase()]),
	({ record }, name) => toFolder({ ...record, name }),
);

/**
 * The folders that the list of a run shows, without those that this process has deleted.
 *
 * @param notBefore an older list is read anew; milliseconds since 1970
 * @throws NodeApiError when the list cannot be read
 */
export async function listedFolders(context: ServiceContext, notBefore?: number): Promise<Folder[]> {
	const list = lists.of(context, await applicationOf(context), notBefore);
	return await folderCreations.existing(context, list);
}

/**
 * All folders of the application: those of the list, and those that this process has created and no list shows yet.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext): Promise<readonly Folder[]> {
	const application = await applicationOf(context);
	return await folderCreations.withCreated(context, application, lists.of(context, application));
}

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws NodeOperationError when the application has no such folder; NodeApiError when the list cannot be read
 */
export async function existingFolder(context: ServiceContext, uuid: string): Promise<Folder> {
	const isIt = (folder: Folder) => isSameUuid(folder.uuid, uuid);
	// A folder that was deleted here may have been restored.
	const folder = (await foldersOfRun(context)).find(isIt) ?? lists.known(context, isIt);
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
	return requiredMatch(context, folders, FOLDERS, folder.name, undefined, advice).uuid ?? '';
}

/** Like {@link resolveFolder}, but a folder that does not exist is created. */
export async function resolveOrCreateFolder(context: IExecuteFunctions, folder: Reference): Promise<string> {
	if ('id' in folder) return folder.id;
	const { item } = await createFolder(context, folder.name, { skipIfExists: true, isIdentified: true });
	return item.uuid ?? '';
}

/**
 * Creates a folder, or returns the folder of this name; see {@link Creations.once}.
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
	const find = async (notBefore: number) =>
		onlyMatch(context, await listedFolders(context, notBefore), FOLDERS, name);
	const { item, isNew } = await folderCreations.once(context, {
		owner: await applicationOf(context),
		name: [comparableName(name)],
		find: skipIfExists ? find : undefined,
		create: async () => {
			// Tell the new folder from others with its name.
			const others = isIdentified && !skipIfExists ? await listedFolders(context, Infinity) : [];
			const created = await postFolder(context, name);
			return isIdentified ? await identifiedFolder(context, created, name, others) : created;
		},
	});
	return { item: isIdentified ? await identifiedFolder(context, item, name) : item, isNew };
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
 * Notes a change of a folder, see {@link Creations.note}.
 *
 * @param newName undefined for a deleted folder
 * @param oldName if known; else the lists of this run may show it
 */
export async function noteFolderChange(
	context: IExecuteFunctions,
	uuid: string,
	{ newName, oldName }: { newName?: string; oldName?: string },
): Promise<void> {
	const known = lists.known(context, (folder) => isSameUuid(folder.uuid, uuid));
	await folderCreations.note(context, [uuid.toLowerCase()], oldName ?? known?.name, newName);
}
