import type { IDataObject } from 'n8n-workflow';

import { raceSignal } from '../shared/pause';
import { serviceCredential, type ServiceContext } from '../transport/credential';
import { cancelSignal } from '../transport/request';
import { comparableName } from './recordByName';
import { folderUuidOf } from './recordFields';

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
export async function folderKey(context: ServiceContext, name: string): Promise<string> {
	const { baseUrl, applicationId } = await serviceCredential(context);
	return JSON.stringify([baseUrl, applicationId, comparableName(name)]);
}

/** Runs an action when no other execution of this process looks for or creates the same folder. */
export async function inTurn<T>(context: ServiceContext, key: string, action: () => Promise<T>): Promise<T> {
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
export function unlistedFolder(key: string): NewFolder | undefined {
	for (const [other, { createdAt }] of newFolders) {
		if (Date.now() - createdAt > UNLISTED_MS) newFolders.delete(other);
	}
	return newFolders.get(key);
}

export function rememberNewFolder(key: string, folder: Omit<NewFolder, 'createdAt'>): void {
	newFolders.set(key, { ...folder, createdAt: Date.now() });
}

/** A list has shown it: from now on the list alone counts, also when the folder is deleted. */
export function forgetNewFolder(key: string): void {
	newFolders.delete(key);
}

/** The folder was deleted or renamed. */
export function forgetFolderOfUuid(uuid: string): void {
	for (const [key, { record }] of newFolders) {
		if (record && folderUuidOf(record)?.toLowerCase() === uuid.toLowerCase()) newFolders.delete(key);
	}
}
