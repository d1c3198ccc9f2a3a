import type { Reference } from '../parameters/references';
import { quoted } from '../parameters/values';
import { addHint } from '../shared/runHints';
import type { ServiceContext } from '../transport/credential';
import { path, requestJson } from '../transport/request';
import { OperationError, around, rethrow } from '../transport/serviceError';
import { foldersByPath, toFolder, type Folder } from './folder';
import { ListsOfRun } from './lists';
import { FOLDERS, onlyMatch, requiredMatch } from './onlyMatch';
import { pagesOf, type Pages } from './paging';
import { isSameName, isSameUuid, LAG_MS, recordOf, storedNameNote } from './record';

/**
 * All folders of the application (docs/api-reference.md#list-galleries). The reference shows no paging, so the next page is requested
 * only when the list says that there are more. The list without a page may be page 0 or page 1.
 *
 * @throws ServiceError when the list cannot be read, or is not whole
 */
export function folderPages(context: ServiceContext): Pages<Folder> {
	return pagesOf(context, {
		kind: 'folder',
		request: (page) => ({ method: 'GET', path: path('folders'), query: page === 0 ? {} : { page } }),
		toItem: toFolder,
		orders: [{}],
		firstPages: [0],
		isOnePage: true,
	});
}

/** Folders belong to the application. */
const NO_PLAN = '';

/** The list of all folders is read once for each run and half a minute. */
export const folderLists = new ListsOfRun(FOLDERS, {
	open: folderPages,
	rename: ({ record }, name) => toFolder({ ...record, name }),
	keptMs: LAG_MS,
});

/**
 * All folders of the application: those of the list, and those that this process has created and the list need not show yet.
 *
 * @param notBefore an older list is read anew; milliseconds since 1970
 * @throws ServiceError when the list cannot be read
 */
export async function foldersOfRun(context: ServiceContext, notBefore?: number): Promise<readonly Folder[]> {
	return await folderLists.all(context, NO_PLAN, notBefore);
}

/**
 * One folder by its UUID, in upper or lower case.
 *
 * @throws OperationError when the application has no such folder; ServiceError when the list cannot be read
 */
export async function existingFolder(context: ServiceContext, uuid: string): Promise<Folder> {
	const folder = (await foldersOfRun(context)).find((each) => isSameUuid(each.uuid, uuid));
	if (folder) return folder;
	throw new OperationError(
		`The application has no folder with the UUID ${uuid}`,
		'It may have been deleted, or belong to another application. A new one may take half a minute to be listed.',
	);
}

/**
 * The UUID of a folder that a user chose; a name is looked up among all folders.
 *
 * @param createIfMissing the value of the option Create Folder If Missing, where the operation has it
 * @throws OperationError when no folder or more than one has this name; ServiceError when the list cannot be read
 */
export async function resolveFolder(
	context: ServiceContext,
	folder: Reference,
	createIfMissing?: boolean,
): Promise<string> {
	if ('id' in folder) return folder.id;
	const { name } = folder;
	if (createIfMissing) {
		const created = await createFolder(context, name, { skipIfExists: true, isIdentified: true });
		return created.item.uuid ?? '';
	}
	const advice = createIfMissing === false ? 'Create Folder If Missing creates the folder.' : '';
	const folders = namedOrAtPath(await foldersOfRun(context), name);
	return requiredMatch(folders, FOLDERS, name, undefined, advice).uuid ?? '';
}

/**
 * Creates a folder, or returns the folder of this name; see {@link findOrCreate}.
 *
 * @param skipIfExists whether to look for the folder first
 * @param isIdentified whether its UUID is needed, which the response to the creation may not contain
 * @returns `item`: of a new folder the response, which may contain no record; `isNew`: whether this call created it
 * @throws OperationError when more than one folder has this name; ServiceError when the list cannot be read or the service
 * rejects the folder
 */
export async function createFolder(
	context: ServiceContext,
	name: string,
	{ skipIfExists, isIdentified }: { skipIfExists: boolean; isIdentified: boolean },
): Promise<{ item: Folder; isNew: boolean }> {
	const find = (all: readonly Folder[], recent?: Folder) =>
		onlyMatch(namedOrAtPath(all, name), FOLDERS, name) ?? recent;
	const create = async () => {
		// Tell the new folder from others with its name.
		const others = isIdentified ? await foldersOfRun(context) : [];
		const folder = await postFolder(context, name);
		const note = storedNameNote(name, folder.name);
		if (note !== undefined) addHint(context, `Folder ${quoted(name)}: ${note}`, 'warning');
		return isIdentified ? await identifiedFolder(context, folder, name, others) : folder;
	};
	const found = await folderLists.findOrCreate(context, NO_PLAN, [name], skipIfExists && find, create);
	return isIdentified ? { ...found, item: await identifiedFolder(context, found.item, name) } : found;
}

/** The folders among which a name is looked up: unless one has it, under their paths such as `2026 / January`, as the picker shows them. */
function namedOrAtPath(folders: readonly Folder[], name: string): readonly Folder[] {
	return folders.some((folder) => isSameName(folder.name, name)) ? folders : foldersByPath(folders);
}

/**
 * A folder as the response to its creation contains it, or else as the list does: the response may be `{ success: true }`.
 *
 * @throws OperationError when it cannot be found
 */
async function identifiedFolder(
	context: ServiceContext,
	response: Folder,
	name: string,
	others: readonly Folder[] = [],
): Promise<Folder> {
	if (response.uuid !== undefined) return response;
	try {
		const known = new Set(others.map(({ uuid }) => uuid));
		const folders = await foldersOfRun(context, Infinity);
		const added = folders.filter(({ uuid }) => !known.has(uuid));
		const listed = onlyMatch(added, FOLDERS, name);
		if (listed) return listed;
		throw new OperationError(
			'The service does not list a folder of exactly this name, or not yet.',
			'Look for it in a few minutes before you run this again.',
		);
	} catch (error) {
		// The folder exists, so a retry must not create it again.
		const before = `The folder ${quoted(name)} was created, but cannot be found.`;
		throw around(error, { before, mayBeCarriedOut: true });
	}
}

/** See docs/api-reference.md#create-a-gallery, whose only field is the name; the response is not documented. */
async function postFolder(context: ServiceContext, name: string): Promise<Folder> {
	const request = { method: 'POST', path: path('folders'), body: { name } } as const;
	// The operation may be Upload or Move.
	const doing = rethrow({ before: `Creating the folder ${quoted(name)}:` });
	const response = await requestJson(context, request).catch(doing);
	const folder = toFolder(recordOf(response, 'folder'));
	return { ...folder, name: folder.name ?? name };
}
