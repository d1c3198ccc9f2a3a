import { z } from 'zod';

import { ErrorResponse, nonEmpty, required, writeResponse, type Call } from './call';
import { pageResponse } from './lists';
import { addFolder, now, storedName, type Folder, type ServiceState } from './state';

/** See docs/api-reference.md#count-galleries. */
export function folderTotal({ state }: Call) {
	return { status: 200, json: { folders: state.folders.length } };
}

/** See docs/api-reference.md#list-galleries, which shows no pages. */
export function folderList({ state, settings }: Call) {
	const { folderAppearsAfterMs: lag } = settings;
	const isListed = (folder: Folder) => lag === 0 || Date.parse(folder.created_date) <= Date.now() - lag;
	const listed = state.folders.filter(isListed);
	return pageResponse(listed, { page: 1, size: listed.length || 1 }, { ...settings, pageSizeCap: 0 });
}

const createBody = z.object({ name: nonEmpty });

/** See docs/api-reference.md#create-a-gallery. */
export function folderCreate({ request: { body }, state, settings }: Call) {
	const { name } = required(createBody, body, 'body');
	const folder = addFolder(state, { name: storedName(name, settings) });
	return writeResponse(folder, 'Folder created', settings);
}

const updateBody = z.object({ name: nonEmpty.optional(), description: z.string().optional() });

/** See docs/api-reference.md#update-a-gallery: its response is documented, so no setting wraps it. */
export function folderUpdate({ request: { body }, segments, state, settings }: Call) {
	const { name, description } = required(updateBody, body, 'body');
	const folder = requireFolder(segments.uuid, state);
	if (name !== undefined) folder.name = storedName(name, settings);
	if (description !== undefined) folder.description = description;
	folder.updated_date = now();
	return { status: 200, json: folder };
}

const deleteBody = z.object({ name: z.string() });

/** See docs/api-reference.md#delete-a-gallery. Videos of the folder stay, in no folder. */
export function folderDelete({ request: { body }, segments, state }: Call) {
	const { name } = required(deleteBody, body, 'body');
	const folder = requireFolder(segments.uuid, state);
	if (folder.name !== name) throw new ErrorResponse(400, 'Folder name does not match');
	state.folders = state.folders.filter((candidate) => candidate !== folder);
	for (const video of state.videos) if (video.folder === folder.uuid) video.folder = null;
	return { status: 200, json: 1 };
}

/** Throws 404 `Folder not found`, also for what is no UUID at all. */
export function requireFolder(uuid: string | undefined, state: ServiceState): Folder {
	const folder = state.folders.find((candidate) => candidate.uuid === uuid);
	if (folder === undefined) throw new ErrorResponse(404, 'Folder not found');
	return folder;
}
