import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords } from '../service/leftovers/paging';
import {
	isInNoFolder,
	isSameName,
	isSameUuid,
	spellingsOf,
	videoFolderOf,
	videoHashOf,
	videoNameOf,
} from '../service/recordFields';
import { videoPages } from '../service/leftovers/lists';
import { Ledger } from './ledger';
import type { OpenEntry } from './ledgerEntry';
import { videoNamesOf } from './videoMatch';
import type { ExistingVideo, UploadJob } from './uploadJob';

/**
 * A video with a name that the upload's video would have in the end, in the target folder or without one in the plan: the title, or
 * without one the file name with or without its extension. Uploads of this process count while their video is not listed yet.
 *
 * @throws NodeApiError when the list cannot be read completely
 */
export async function findExistingVideo(
	context: IExecuteFunctions,
	planId: string,
	{ file, title }: Pick<UploadJob, 'file' | 'title'>,
): Promise<ExistingVideo | undefined> {
	// Those that the video can have once it is done.
	const names = title === '' ? videoNamesOf(file.name) : [title];
	const ledger = await Ledger.of(context);
	const isThere = (video: IDataObject) =>
		names.some((name) => isSameName(name, videoNameOf(video) ?? '')) &&
		(isInTargetFolder(video, file.folder) ?? isUploadedTo(ledger, video, file.folder)) !== false;
	const isSame = (other: OpenEntry) =>
		(other.planId ?? planId) === planId &&
		names.some((name) => isSameName(name, other.title || other.file.name)) &&
		(file.folder === undefined || isSameUuid(other.file.folder, file.folder));
	const findListed = async () => {
		for (const name of spellingsOf(names)) {
			for await (const page of uniqueRecords(videoPages(context, planId, { name }))) {
				const video = page.find(isThere);
				if (video) return video;
			}
		}
		return undefined;
	};
	for (;;) {
		const startedAt = Date.now();
		const video = await findListed();
		if (video) return { video };
		const [entry] = ledger.all((other) => isPending(other) && isSame(other));
		if (entry) return { entry };
		// One that was finished while the list was read may have got its name after that.
		const isNew = (other: OpenEntry) => other.status === 'done' && other.at >= startedAt && isSame(other);
		if (ledger.all(isNew).length === 0) return undefined;
	}
}

/** How long an upload counts as existing although its video is not listed; milliseconds. */
export const LISTED_WITHIN_MS = 10 * 60 * 1000;

/**
 * Whether an upload has, or is about to get, a video that no list has shown yet. Once a list has shown it, the list is the truth:
 * the video may have been deleted since.
 */
function isPending({ at, busy, status, videoHash }: OpenEntry): boolean {
	if (videoHash !== undefined && status === 'done') return false;
	const isWorkedOn = busy !== undefined && ['sending', 'complete', 'done'].includes(status);
	const isComplete = status === 'done' || status === 'complete';
	return isWorkedOn || (isComplete && Date.now() - at < LISTED_WITHIN_MS);
}

/** @returns undefined when the ledger does not know the upload of the video */
function isUploadedTo(ledger: Ledger, video: IDataObject, folder: string | undefined): boolean | undefined {
	const hash = videoHashOf(video);
	const [entry] = ledger.all(({ videoHash }) => hash !== undefined && videoHash === hash);
	return entry && isSameUuid(entry.file.folder, folder);
}

/** @returns undefined when the record does not contain the folder's UUID */
export function isInTargetFolder(video: IDataObject, folder: string | undefined): boolean | undefined {
	if (folder === undefined) return true;
	if (isInNoFolder(video)) return false;
	const { uuid } = videoFolderOf(video);
	return uuid === undefined ? undefined : isSameUuid(uuid, folder);
}
