import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Parameter } from '../../parameters/parameter';
import type { Reference } from '../../parameters/references';
import { OR_CREATE_FOLDER, resolveFolder, resolveOrCreateFolder } from '../../service/folders';
import { comparableName, isSameName } from '../../service/record';
import { isIn, type Video } from '../../service/video';
import { perRun } from '../../shared/perRun';
import type { Source } from '../../sources/source';
import { videoOfRecord } from '../../upload/existingVideo';
import { finishVideo } from '../../upload/finishVideo';
import type { UploadJob, UploadProgress, UploadResult } from '../../upload/job';
import { setBusy, type UploadRecord } from '../../upload/memory';
import { findNewVideo } from '../../upload/newVideo';
import { uploadFile } from '../../upload/upload';
import { videoNamesOf } from '../../upload/videoNames';
import { addHint, type Item } from '../item';
import { PendingResult } from '../operation';
import { binaryImage } from '../video/thumbnailImage';
import { thumbnailOption } from './fields';
import { sourceOf, uploadParameters } from './parameters';
import { toUploadError } from './uploadError';

/** What one file of an input item is to become. */
interface WantedUpload {
	item: Item;
	job: UploadJob;
	returnVideo: boolean;
	/** Whether an earlier item of the run has a video of the same name in the end. */
	isNameShared: boolean;
	/** By a monotonic clock; milliseconds. */
	startedAt: number;
}

/** Keys of the names that the items of a run have had so far. */
const namesOfRun = perRun(() => new Set<string>());

/**
 * Uploads one file of an input item. The new video is looked up, renamed and so on in a {@link PendingResult}, while the next
 * item is uploaded.
 *
 * @param idField the ID of the upload to resume; without it one is created, or an unfinished one resumed
 * @throws NodeApiError or NodeOperationError with the upload's ID, offset and size
 */
export async function uploadItem(
	item: Item,
	idField?: Parameter<string>,
): Promise<PendingResult | IDataObject> {
	const { context } = item;
	let source: Source | undefined;
	let uploadId: string | undefined;
	try {
		uploadId = idField && item.read(idField);
		const parameters = await uploadParameters(item, uploadId);
		const { limits, returnVideo, thumbnailField } = parameters;
		const loadImage = async () => await binaryImage(item, thumbnailField, thumbnailOption.displayName);
		const thumbnail = thumbnailField === '' ? undefined : await loadImage();
		source = await sourceOf(item, limits.idleTimeoutMs);
		const job = { ...(await jobOf(item, parameters, source, uploadId)), thumbnail };
		const isNameShared = noteName(context, job);
		const wanted = { item, job, returnVideo, isNameShared, startedAt: performance.now() };
		const result = await uploadFile(context, job);
		return result.kind === 'exists' ? skippedResult(wanted, result) : completeResult(wanted, result);
	} catch (error) {
		throw toUploadError(context, error, { size: source?.size, uploadId });
	}
}

/** Looks up the folder, and creates it if it is to be. */
async function jobOf(
	item: Item,
	parameters: Awaited<ReturnType<typeof uploadParameters>>,
	source: Source,
	uploadId: string | undefined,
): Promise<UploadJob> {
	const { context } = item;
	const { chosenFolder, createFolder, fileName, limits, ...wanted } = parameters;
	const { size } = source;
	const name = fileName || source.fileName;
	if (name === undefined || name === '')
		throw item.error('File Name is empty and the file has no name', 'Enter one.');
	if (size === 0)
		throw item.error(
			`"${name}" is empty (0 bytes), so it was not uploaded`,
			'Check the node or the address that the file comes from.',
		);
	const isNew = uploadId === undefined;
	const resolve = async (chosen: Reference) =>
		isNew && createFolder
			? await resolveOrCreateFolder(context, chosen)
			: await resolveFolder(context, chosen, isNew ? OR_CREATE_FOLDER : undefined);
	const folder = chosenFolder && (await resolve(chosenFolder));
	return { ...wanted, ...limits, source, file: { name, size, folder }, uploadId };
}

/** @returns whether another item of the run had the name before that the video has in the end */
function noteName(context: IExecuteFunctions, { file, planId, title }: UploadJob): boolean {
	const name = comparableName(title || (videoNamesOf(file.name).at(-1) ?? ''));
	const key = JSON.stringify([planId, file.folder?.toLowerCase(), name]);
	const names = namesOfRun(context);
	const isKnown = names.has(key);
	names.add(key);
	return isKnown;
}

/** The result of an upload that was not needed. */
function skippedResult(
	wanted: WantedUpload,
	{ existing, progress }: Extract<UploadResult, { kind: 'exists' }>,
): PendingResult | IDataObject {
	const { isNameShared, item, job } = wanted;
	const { name, size } = job.file;
	const existingSize = 'video' in existing ? existing.video.size : existing.record.file.size;
	const isOfOtherSize = existingSize !== undefined && existingSize !== size;
	if (isOfOtherSize || isNameShared) {
		const why = isOfOtherSize
			? `the video of that name has ${existingSize} bytes, and this file ${size}`
			: 'another item of this run has the same name';
		const advice = 'If it is another file, give it a File Name or Title of its own.';
		addHint(item.context, `"${name}" was skipped: ${why}. ${advice}`, 'warning');
	}
	const output = (video: Video) => outputOf(wanted, progress, { video, skipped: true });
	if ('video' in existing) return output(existing.video);
	const find = async () => {
		const video = await videoOfRecord(item.context, job.planId ?? '', existing.record);
		if (video) return output(video);
		throw item.error(
			`"${name}" was not uploaded: upload ${existing.record.uploadId} of the same name is complete, but its video is not listed under that name yet.`,
			'Run this again later. If you deleted or renamed the video, switch off Skip If Exists, or wait ten minutes.',
		);
	};
	return new PendingResult(find());
}

/** The result of a complete upload. Its video is looked up, and changed if it is to be, while the next items are uploaded. */
function completeResult(
	wanted: WantedUpload,
	{ progress, record }: Extract<UploadResult, { kind: 'complete' }>,
): PendingResult | IDataObject {
	const { item, job, returnVideo } = wanted;
	const { context } = item;
	const { file, thumbnail } = job;
	const { planId, status } = record;
	if (progress.replaced?.uploadId) {
		const { reason, uploadId } = progress.replaced;
		addHint(
			context,
			`"${file.name}" was uploaded from its beginning: upload ${uploadId} could not be resumed, as ${reason}.`,
		);
	}
	const { folder = record.file.folder } = file;
	const output = (video: Video | null) => outputOf(wanted, progress, { video, folder });
	const isFinished = status !== 'complete';
	if (planId === undefined || status === 'deleted' || (isFinished && !returnVideo)) {
		setBusy(record, false);
		if (returnVideo && status !== 'deleted')
			addHint(
				context,
				'"video" is null because no plan is set. Enter the Plan ID in the credential or in the options of this node, or switch Return Video off.',
			);
		return output(null);
	}
	const complete = async () => {
		try {
			if (!isFinished) {
				const video = await finishVideo(context, record, { planId, thumbnail });
				if (record.hasThumbnail && !thumbnail)
					addHint(context, `"${file.name}" has no thumbnail yet. Set it with Video → Set Thumbnail.`);
				hintAtDifferences(wanted, record, video);
				return output(video);
			}
			const found = await findNewVideo(context, planId, record);
			if (found.video) hintAtDifferences(wanted, record, found.video);
			else
				addHint(
					context,
					`"${file.name}" is uploaded, but ${found.reason}. Find it later with Video → Search.`,
				);
			return output(found.video ?? null);
		} catch (error) {
			throw toUploadError(context, error, { size: file.size, uploadId: record.uploadId });
		} finally {
			setBusy(record, false);
		}
	};
	return new PendingResult(complete());
}

/** The service keeps the name and the folder that an upload was created with, whatever Resume states. */
function hintAtDifferences({ item, job }: WantedUpload, record: UploadRecord, video: Video): void {
	if (job.uploadId === undefined && !record.isForeign) return;
	const { folder, name: fileName } = job.file;
	const names = videoNamesOf(record.title || fileName);
	const { name } = video;
	if (name !== undefined && !names.some((own) => isSameName(own, name)))
		addHint(
			item.context,
			`The video is called "${name}", as its upload was created. To rename it, set the option Title of Resume.`,
		);
	if (folder !== undefined && isIn(video, { uuid: folder }) === false)
		addHint(
			item.context,
			`"${name ?? fileName}" is not in the chosen folder, as its upload was created for another one. Use Video → Move.`,
		);
}

/**
 * The output item: the fields of every upload in the same order.
 *
 * @param folder UUID of the folder that was chosen; the record of the video says more
 * @param skipped then what is complete is not this file
 */
function outputOf(
	{ job, startedAt }: WantedUpload,
	{ uploadId, offset, bytesSent, resumes, waitedMs }: UploadProgress,
	{ folder, skipped = false, video }: { folder?: string; skipped?: boolean; video: Video | null },
): IDataObject {
	const { name, size } = job.file;
	const listed = video?.folder;
	return {
		uploadId: uploadId ?? null,
		fileName: name,
		size,
		offset: skipped ? null : offset,
		complete: skipped ? null : true,
		folder: listed === 'none' ? null : (listed?.uuid ?? folder ?? null),
		bytesSent,
		resumes,
		waitedMs,
		durationMs: Math.round(performance.now() - startedAt),
		skipped,
		video: video && { ...video.record },
	};
}
