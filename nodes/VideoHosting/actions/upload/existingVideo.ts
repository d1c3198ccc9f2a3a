import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isInNoFolder, videoFolderOf, videoNameOf } from '../../service/recordFields';
import { addHint } from '../hints';
import { matchVideos, type LookupResult } from './matchVideos';
import { namesOf, oldestFirst, videosNamed } from './videosByName';

/** What Skip If Exists compares. */
export interface Wanted {
	fileName: string;
	/** Option Title: a video that was renamed after an earlier upload has this name; '' without one. */
	title: string;
	/** UUID of the target folder; undefined compares with the whole plan. */
	folder: string | undefined;
}

/** Uploads of one run by plan, folder and name: the service may not list their videos yet. */
const uploadedInRun = new WeakMap<IExecuteFunctions, Map<string, Promise<IDataObject | undefined>>>();

/** Records an upload, so that a later item of the run with the same name or title is skipped. */
export function rememberUploaded(
	context: IExecuteFunctions,
	planId: string,
	wanted: Wanted,
	video: Promise<IDataObject | undefined>,
): void {
	const uploaded = uploadedInRun.get(context) ?? new Map<string, Promise<IDataObject | undefined>>();
	for (const key of keysOf(planId, wanted)) uploaded.set(key, video);
	uploadedInRun.set(context, uploaded);
}

/** The video of an earlier item of this run with the same name or title, which may not be listed yet. */
export function uploadedBefore(
	context: IExecuteFunctions,
	planId: string,
	wanted: Wanted,
): Promise<IDataObject | undefined> | undefined {
	const uploaded = uploadedInRun.get(context);
	const key = keysOf(planId, wanted).find((name) => uploaded?.has(name));
	return key === undefined ? undefined : uploaded?.get(key);
}

/**
 * The newest video of that name in the target folder, or without one in the plan. A video whose record does not contain its
 * folder counts as existing, and a hint reports that.
 *
 * @throws NodeApiError when the list cannot be read
 */
export async function findExistingVideo(
	context: IExecuteFunctions,
	planId: string,
	wanted: Wanted,
	itemIndex: number,
): Promise<IDataObject | undefined> {
	const { fileName, folder, title } = wanted;
	const isThere = (video: IDataObject) => isInFolder(video, folder) !== false;
	const renamed = title === '' ? [] : await videosNamed(context, planId, title, itemIndex);
	const named = renamed.filter((video) => videoNameOf(video) === title && isThere(video));
	if (named.length === 0) {
		named.push(...(await videosNamed(context, planId, fileName, itemIndex)).filter(isThere));
	}
	const video = oldestFirst(named).at(-1);
	if (video && isInFolder(video, folder) === undefined) {
		addHint(
			context,
			`"${fileName}" was skipped because a video of this name exists. The service does not report the folder of that video, which may not be the chosen one.`,
		);
	}
	return video;
}

/**
 * The video of a file that the service had before this run: the only one with its name, and with its size where the records
 * contain one.
 *
 * @returns undefined when the plan has no such video, or the list cannot be read
 */
export async function onlyVideoOf(
	context: IExecuteFunctions,
	planId: string,
	{ fileName, size }: { fileName: string; size: number },
	itemIndex: number,
): Promise<LookupResult | undefined> {
	const named = await videosNamed(context, planId, fileName, itemIndex).catch(() => []);
	const file = { names: namesOf(fileName), size };
	const match = matchVideos([file], oldestFirst(named)).get(file);
	return match === 'several' ? { problem: 'several' } : match;
}

/** @returns undefined when the record does not contain the folder's UUID */
function isInFolder(video: IDataObject, folder: string | undefined): boolean | undefined {
	if (folder === undefined) return true;
	if (isInNoFolder(video)) return false;
	const { uuid } = videoFolderOf(video);
	return uuid === undefined ? undefined : uuid.toLowerCase() === folder.toLowerCase();
}

/** By title first, as {@link findExistingVideo} compares. */
function keysOf(planId: string, { fileName, title, folder }: Wanted): string[] {
	const names = title === '' ? [fileName] : [title, fileName];
	return names.map((name) => JSON.stringify([planId, folder?.toLowerCase() ?? null, name]));
}
