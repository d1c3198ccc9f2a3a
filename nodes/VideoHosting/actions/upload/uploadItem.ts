import type { IDataObject } from 'n8n-workflow';

import { OR_CREATE_FOLDER, resolveFolder, resolveOrCreateFolder } from '../../service/folders';
import { optionalPlanOrDefault, planOrDefault } from '../../service/plan';
import { isInNoFolder, isSameUuid, videoFolderOf, videoNameOf } from '../../service/recordFields';
import type { Source } from '../../sources/source';
import { withoutSecrets } from '../../transport/secrets';
import { isInTargetFolder } from '../../upload/existingVideo';
import { finishVideo } from '../../upload/finishVideo';
import { release } from '../../upload/ledgerEntry';
import { hasMark } from '../../upload/videoMatch';
import { NewVideos } from '../../upload/newVideo';
import { uploadFile, type UploadResult } from '../../upload/upload';
import { changesVideo, type UploadJob, type UploadState } from '../../upload/uploadJob';
import type { Item } from '../item';
import { PendingResult } from '../operation';
import {
	addFolderUnknownHint,
	addLeftoverHints,
	addNoPlanHint,
	addNoVideoHint,
	addUploadHints,
} from './hints';
import { sourceOf, uploadParameters } from './parameters';
import { toUploadError } from './uploadError';

/** What one file of an input item is to become. */
interface WantedUpload {
	item: Item;
	job: UploadJob;
	returnVideo: boolean;
	/** By a monotonic clock; milliseconds. */
	startedAt: number;
}

/**
 * Uploads one file of an input item. The new video is looked up, renamed and so on in a {@link PendingResult}, while the next
 * item is uploaded.
 *
 * @param givenUploadId reads the ID of the upload to resume; without it one is created, or an unfinished one resumed
 * @throws NodeApiError or NodeOperationError with the upload's ID, offset and size
 */
export async function uploadItem(
	item: Item,
	givenUploadId: () => string | undefined = () => undefined,
): Promise<PendingResult | IDataObject> {
	const { context } = item;
	let source: Source | undefined;
	let uploadId: string | undefined;
	try {
		uploadId = givenUploadId();
		const parameters = await uploadParameters(item);
		source = await sourceOf(item, parameters.limits.idleTimeoutMs);
		const job = await jobOf(item, parameters, source, uploadId);
		const wanted = { item, job, returnVideo: parameters.returnVideo, startedAt: performance.now() };
		const result = await uploadFile(context, job);
		addUploadHints(context, job.file.name, result.state);
		return result.kind === 'exists' ? skippedResult(wanted, result) : completeResult(wanted, result);
	} catch (error) {
		throw toUploadError(context, error, { size: source?.size, uploadId });
	}
}

/** Looks up the plan and the folder, and creates the folder if it is to be. */
async function jobOf(
	item: Item,
	parameters: Awaited<ReturnType<typeof uploadParameters>>,
	source: Source,
	uploadId: string | undefined,
): Promise<UploadJob> {
	const { context } = item;
	const { chosenFolder, chosenPlanId, createFolder, fileName, limits, returnVideo, ...wanted } = parameters;
	const { size } = source;
	const name = fileName || source.fileName;
	if (name === undefined || name === '')
		throw item.error('File Name is empty and the file has no name', 'Enter one.');
	if (size === 0)
		throw item.error(
			`"${name}" is empty (0 bytes), so it was not uploaded`,
			'Check the node or the address that the file comes from.',
		);
	const planId =
		wanted.skipIfExists || changesVideo(wanted)
			? await planOrDefault(context, chosenPlanId)
			: await optionalPlanOrDefault(context, chosenPlanId);
	if (returnVideo && planId === undefined) addNoPlanHint(context);
	const folder =
		chosenFolder && createFolder && uploadId === undefined
			? await resolveOrCreateFolder(context, chosenFolder)
			: chosenFolder &&
				(await resolveFolder(context, chosenFolder, uploadId === undefined ? OR_CREATE_FOLDER : ''));
	return { ...wanted, ...limits, source, file: { name, size, folder }, planId, uploadId };
}

/** The result of an upload that was not needed. */
function skippedResult(
	wanted: WantedUpload,
	{ existing, state }: Extract<UploadResult, { kind: 'exists' }>,
): PendingResult | IDataObject {
	const { context } = wanted.item;
	const { file, planId = '' } = wanted.job;
	const output = (video: IDataObject) => outputOf(wanted, state, videoFolderOf(video).uuid, video, true);
	if ('video' in existing) {
		if (isInTargetFolder(existing.video, file.folder) === undefined) addFolderUnknownHint(context, file.name);
		return output(existing.video);
	}
	const stop = new AbortController();
	const { mark, uploadId } = existing.entry;
	const find = async () => {
		const videos = await NewVideos.of(context, planId);
		// One with a mark does not have its name yet; only its own file finishes it.
		const found = mark === undefined && (await videos.find(existing.entry, { stop: stop.signal }));
		if (found && found.video) return output(found.video);
		const missing = mark === undefined ? 'is not listed yet' : 'does not have its name yet';
		throw wanted.item.error(
			`"${file.name}" was not uploaded: upload ${uploadId} with the same name is complete, but its video ${missing}. Run this again later.`,
		);
	};
	return new PendingResult(find());
}

/** The result of a complete upload. Its video is looked up, and changed if it is to be, while the next items are uploaded. */
function completeResult(
	wanted: WantedUpload,
	{ entry, state }: Extract<UploadResult, { kind: 'complete' }>,
): PendingResult | IDataObject {
	const { job, returnVideo } = wanted;
	const { context } = wanted.item;
	const { file, planId, thumbnail } = job;
	const isMarked = entry.mark !== undefined;
	const output = (video: IDataObject | null) => {
		// With two folders to choose from, only the video's record says which one the service used.
		const folder =
			(video && folderOf(video)) ?? (entry.resumedInto === undefined ? entry.file.folder : undefined);
		const name = video && videoNameOf(video);
		addLeftoverHints(context, file.name, {
			markedName: name && !isMarked && hasMark(file.name, name) ? name : undefined,
			isElsewhere: file.folder !== undefined && !isSameUuid(folder, file.folder),
			isThumbnailLeft: entry.hasThumbnail === true && !thumbnail,
		});
		return outputOf(wanted, state, folder, video);
	};
	// A continued upload has the plan that it was created for.
	const videoPlanId = (isMarked ? entry.planId : undefined) ?? planId;
	if (videoPlanId === undefined || !(isMarked || returnVideo)) {
		release(entry);
		return output(null);
	}
	const stop = new AbortController();
	const complete = async () => {
		try {
			if (isMarked) return output(await finishVideo(context, entry, { planId: videoPlanId, thumbnail }));
			const videos = await NewVideos.of(context, videoPlanId);
			const found = await videos.find(entry, { stop: stop.signal });
			if (!found.video && !stop.signal.aborted) addNoVideoHint(context, file.name, found.reason);
			return output(found.video ?? null);
		} catch (error) {
			throw toUploadError(context, error, { size: file.size, uploadId: state.uploadId });
		} finally {
			release(entry);
		}
	};
	return new PendingResult(complete());
}

/**
 * The output item: the fields of every upload in the same order.
 *
 * @param folder UUID; '' or undefined for none
 */
function outputOf(
	{ job, startedAt }: WantedUpload,
	{ uploadId, offset, bytesSent, resumes, waitedMs }: UploadState,
	folder: string | undefined,
	video: IDataObject | null,
	skipped = false,
): IDataObject {
	return {
		uploadId: uploadId ?? null,
		fileName: job.file.name,
		size: job.file.size,
		offset: skipped ? null : offset,
		complete: true,
		folder: folder || null,
		bytesSent,
		resumes,
		waitedMs,
		durationMs: Math.round(performance.now() - startedAt),
		skipped,
		video: video && withoutSecrets(video),
	};
}

/** @returns UUID of a video's folder, '' for none, undefined when the record does not contain it */
function folderOf(video: IDataObject): string | undefined {
	return isInNoFolder(video) ? '' : videoFolderOf(video).uuid;
}
