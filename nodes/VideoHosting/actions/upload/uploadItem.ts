import { NodeOperationError, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import { resolveFolder } from '../../service/folderLookup';
import { optionalPlanOrDefault } from '../../service/plan';
import { isInNoFolder, videoFolderOf, videoNameOf } from '../../service/recordFields';
import type { Source } from '../../sources/source';
import { withoutSecrets } from '../../transport/secrets';
import { findExistingVideo, isInFolder } from '../../upload/existingVideo';
import { finishVideo } from '../../upload/finishVideo';
import { release } from '../../upload/ledgerEntry';
import { hasMark } from '../../upload/names';
import { NewVideos } from '../../upload/newVideo';
import { uploadFile, type UploadResult } from '../../upload/upload';
import type { UploadJob } from '../../upload/uploadJob';
import { planIdOf, planIdOption } from '../fields';
import type { Item } from '../item';
import { PendingResult } from '../operation';
import { binaryImage, type ThumbnailImage } from '../video/thumbnailImage';
import { fileNameField, thumbnailOption, uploadFolderField } from './fields';
import {
	addFolderUnknownHint,
	addLeftoverHints,
	addNoPlanHint,
	addNoVideoHint,
	addUploadHints,
} from './hints';
import { limitsOf, uploadOptionsOf } from './parameters';
import { fileNameOf, sourceOf } from './sourceParameters';
import { toUploadError } from './uploadError';

/** What the parameters of one input item ask for. */
interface WantedUpload {
	job: UploadJob;
	thumbnail: ThumbnailImage | undefined;
	returnVideo: boolean;
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
	const { context, itemIndex } = item;
	let source: Source | undefined;
	let uploadId: string | undefined;
	try {
		uploadId = givenUploadId();
		const parameters = await readParameters(item);
		source = await sourceOf(item, parameters.limits.idleTimeoutMs);
		const wanted = await toWantedUpload(item, { ...parameters, source, uploadId });
		const result = await uploadFile(context, wanted.job);
		addUploadHints(context, wanted.job.file.name, result.state);
		return result.kind === 'exists'
			? skippedResult(item, wanted, result)
			: completeResult(context, wanted, result);
	} catch (error) {
		throw toUploadError(context, error, { itemIndex, size: source?.size, uploadId });
	}
}

/** All parameters that need no request, so that a wrong one is an error before the first request. */
async function readParameters(item: Item) {
	const options = uploadOptionsOf(item);
	const chosenFolder = item.read(uploadFolderField);
	item.read(planIdOption);
	item.read(fileNameField);
	const { thumbnailField } = options;
	const thumbnail =
		thumbnailField === '' ? undefined : await binaryImage(item, thumbnailField, thumbnailOption.displayName);
	return { options, chosenFolder, limits: limitsOf(options), thumbnail };
}

async function toWantedUpload(
	item: Item,
	{
		chosenFolder,
		limits,
		options,
		source,
		thumbnail,
		uploadId,
	}: Awaited<ReturnType<typeof readParameters>> & { source: Source; uploadId: string | undefined },
): Promise<WantedUpload> {
	const { context, itemIndex } = item;
	const { createFolder, resumeUnfinished, returnVideo, skipIfExists, title } = options;
	const { size } = source;
	const name = fileNameOf(item, source);
	if (size === 0) throw emptyFileError(item, name);
	const planId =
		skipIfExists || title !== '' || thumbnail
			? await planIdOf(item)
			: await optionalPlanOrDefault(context, item.read(planIdOption));
	if (returnVideo && planId === undefined) addNoPlanHint(context);
	const folder =
		chosenFolder &&
		(await resolveFolder(context, chosenFolder, {
			itemIndex,
			createIfMissing: uploadId === undefined ? createFolder : undefined,
		}));
	const file = { name, size, folder };
	const job: UploadJob = {
		...{ source, file, title, hasThumbnail: thumbnail !== undefined, planId, uploadId, resumeUnfinished },
		...{ ...limits, itemIndex },
		...(planId === undefined
			? {}
			: {
					findVideo: async (entry) =>
						(await (await NewVideos.of(context, planId)).find(entry, itemIndex, { isProof: true })).video,
					...(skipIfExists
						? {
								findExisting: async () =>
									await findExistingVideo(context, planId, { file, title, itemIndex }),
							}
						: {}),
				}),
	};
	return { job, thumbnail, returnVideo, startedAt: performance.now() };
}

/** The result of an upload that was not needed. */
function skippedResult(
	item: Item,
	{ job, startedAt }: WantedUpload,
	{ existing, state }: Extract<UploadResult, { kind: 'exists' }>,
): PendingResult | IDataObject {
	const { context } = item;
	const { file, itemIndex, planId = '' } = job;
	const output = (video: IDataObject): IDataObject => ({
		...{ uploadId: null, fileName: file.name, size: file.size, offset: null, complete: true },
		folder: videoFolderOf(video).uuid ?? null,
		...{ bytesSent: 0, resumes: 0, waitedMs: state.waitedMs, durationMs: durationFrom(startedAt) },
		...{ skipped: true, video: withoutSecrets(video) },
	});
	if ('video' in existing) {
		if (isInFolder(existing.video, file.folder) === undefined) addFolderUnknownHint(context, file.name);
		return output(existing.video);
	}
	const stop = new AbortController();
	const find = async () => {
		const { entry } = existing;
		const videos = await NewVideos.of(context, planId);
		// One with a mark does not have its name yet; only its own file finishes it.
		const { video } =
			entry.mark === undefined
				? await videos.find(entry, itemIndex, { stop: stop.signal })
				: { video: undefined };
		if (video) return output(video);
		const missing = entry.mark === undefined ? 'is not listed yet' : 'does not have its name yet';
		throw item.error(
			`"${file.name}" was not uploaded: upload ${entry.uploadId} with the same name is complete, but its video ${missing}. Run this again later.`,
		);
	};
	return new PendingResult(find(), () => {
		stop.abort();
	});
}

/** The result of a complete upload. Its video is looked up, and changed if it is to be, while the next items are uploaded. */
function completeResult(
	context: IExecuteFunctions,
	{ job, returnVideo, startedAt, thumbnail }: WantedUpload,
	{ entry, state }: Extract<UploadResult, { kind: 'complete' }>,
): PendingResult | IDataObject {
	const { file, itemIndex, planId } = job;
	const isMarked = entry.mark !== undefined;
	const output = (video: IDataObject | null): IDataObject => {
		const folder = (video && folderOf(video)) ?? entry.file.folder;
		const name = video && videoNameOf(video);
		addLeftoverHints(context, {
			name: file.name,
			video: name && !isMarked && hasMark(file.name, name) ? name : undefined,
			isElsewhere: file.folder !== undefined && folder?.toLowerCase() !== file.folder.toLowerCase(),
			isThumbnailLeft: entry.hasThumbnail === true && !thumbnail,
		});
		return {
			...{ uploadId: state.uploadId ?? null, fileName: file.name, size: file.size, offset: state.offset },
			...{ complete: true, folder: folder || null, bytesSent: state.bytesSent, resumes: state.resumes },
			...{ waitedMs: state.waitedMs, durationMs: durationFrom(startedAt), skipped: false },
			video: video && withoutSecrets(video),
		};
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
			if (isMarked)
				return output(await finishVideo(context, entry, { planId: videoPlanId, thumbnail, itemIndex }));
			const videos = await NewVideos.of(context, videoPlanId);
			const found = await videos.find(entry, itemIndex, { stop: stop.signal });
			if (!found.video && !stop.signal.aborted) addNoVideoHint(context, file.name, found.problem);
			return output(found.video ?? null);
		} catch (error) {
			throw toUploadError(context, error, { itemIndex, size: file.size, uploadId: state.uploadId });
		} finally {
			release(entry);
		}
	};
	return new PendingResult(complete(), () => {
		// The changes that the user chose are still made.
		if (!isMarked) stop.abort();
	});
}

/** @returns UUID of a video's folder, '' for none, undefined when the record does not contain it */
function folderOf(video: IDataObject): string | undefined {
	return isInNoFolder(video) ? '' : videoFolderOf(video).uuid;
}

function durationFrom(startedAt: number): number {
	return Math.round(performance.now() - startedAt);
}

function emptyFileError(item: Item, fileName: string): NodeOperationError {
	return item.error(
		`"${fileName}" is empty (0 bytes), so it was not uploaded`,
		'Check the node or the address that the file comes from.',
	);
}
