import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Parameter } from '../../parameters/parameter';
import { toText } from '../../parameters/values';
import { resolveFolder, resolveOrCreateFolder } from '../../service/folders';
import { comparableName } from '../../service/record';
import type { Video } from '../../service/video';
import { perRun } from '../../shared/perRun';
import { videoOfRecord } from '../../upload/earlier';
import { finishVideo } from '../../upload/finishVideo';
import { UploadProgress, type ExistingVideo, type UploadJob } from '../../upload/job';
import { folderOf, setBusy, type UploadRecord } from '../../upload/memory';
import { findNewVideo, type LookupResult } from '../../upload/newVideo';
import { uploadFile } from '../../upload/upload';
import { namesOf } from '../../upload/videoNames';
import { addHint, type Item, PendingResult } from '../operation';
import { binaryImage } from '../video/thumbnailImage';
import { thumbnailOption } from './fields';
import { sourceOf, uploadParameters } from './parameters';
import { toUploadError, type KnownUpload } from './uploadError';

/** One file of an input item, and whether its video is returned. */
interface WantedUpload extends UploadJob {
	returnVideo: boolean;
}

/** The first file of a run for each name that its video may have. */
const namesOfRun = perRun(() => new Map<string, WantedUpload>());

/**
 * Uploads one file of an input item. The new video is looked up and renamed in a {@link PendingResult}, while the next item is
 * uploaded.
 *
 * @param idField the ID of the upload to resume; without it one is created, or an unfinished one resumed
 * @throws NodeApiError or NodeOperationError with the upload's ID, offset and size
 */
export async function uploadItem(item: Item, idField?: Parameter<string>): Promise<PendingResult> {
	const { context } = item;
	const known: KnownUpload = {};
	try {
		known.uploadId = idField && item.read(idField);
		const wanted = await wantedUpload(item, known);
		known.mayResume = wanted.resumeUnfinished;
		noteNames(context, wanted);
		const progress = new UploadProgress(known.uploadId);
		known.progress = progress;
		const result = await uploadFile(context, wanted, progress);
		return new PendingResult(
			'existing' in result
				? skippedOutput(item, wanted, result.existing, progress).catch((error: unknown) => {
						throw toUploadError(context, error, { size: wanted.file.size });
					})
				: completeOutput(context, wanted, result.complete, progress),
		);
	} catch (error) {
		throw toUploadError(context, error, known);
	}
}

/**
 * Reads the parameters and the image, names the file, and looks up or creates its folder.
 *
 * @param known gets the size of the file
 */
async function wantedUpload(item: Item, known: KnownUpload): Promise<WantedUpload> {
	const { context } = item;
	const { uploadId } = known;
	const { chosenFolder, createFolder, fileName, thumbnailField, ...wanted } = await uploadParameters(
		item,
		uploadId,
	);
	const thumbnail =
		thumbnailField === '' ? undefined : await binaryImage(item, thumbnailField, thumbnailOption.displayName);
	const source = await sourceOf(item, wanted.idleTimeoutMs);
	const { size } = source;
	known.size = size;
	const name = fileName || toText('The name of the file', source.fileName);
	if (name === '')
		throw item.error(
			'File Name is empty and the file has no name',
			'Enter one, or name the file before this node.',
		);
	if (size === 0)
		throw item.error(
			`"${name}" is empty (0 bytes), so it was not uploaded`,
			'Check the node or the address that the file comes from.',
		);
	const folder =
		chosenFolder &&
		(createFolder
			? await resolveOrCreateFolder(context, chosenFolder)
			: await resolveFolder(context, chosenFolder));
	return { ...wanted, source, thumbnail, file: { name, size, folder }, uploadId };
}

function noteNames(context: IExecuteFunctions, wanted: WantedUpload): void {
	const names = namesOfRun(context);
	for (const name of namesOf(wanted)) {
		const key = nameKey(wanted, name);
		if (!names.has(key)) names.set(key, wanted);
	}
}

function nameKey({ file, planId }: WantedUpload, name: string): string {
	return JSON.stringify([planId, file.folder?.toLowerCase(), comparableName(name)]);
}

/** The output for an upload that was not needed. */
async function skippedOutput(
	item: Item,
	wanted: WantedUpload,
	{ record, video: listed }: ExistingVideo,
	progress: UploadProgress,
): Promise<IDataObject> {
	const { name, size } = wanted.file;
	const video = listed ?? (record && (await videoOfRecord(item.context, wanted, record)));
	if (video) {
		const existingSize = video.size ?? record?.file.size;
		const isOfOtherSize = existingSize !== undefined && existingSize !== size;
		const existingName = listed?.name ?? (record?.title || record?.file.name) ?? name;
		const first = namesOfRun(item.context).get(nameKey(wanted, existingName)) ?? wanted;
		if (isOfOtherSize || first !== wanted) {
			const why = isOfOtherSize
				? `the video of that name has ${existingSize} bytes, and this file ${size}`
				: 'another item of this run has the same name';
			const advice = 'If it is another file, give it a File Name or Title of its own.';
			addHint(item.context, `"${name}" was skipped: ${why}. ${advice}`, 'warning');
		}
		// A video that shows its folder in any way was found in the chosen one.
		const folder = video.folder && wanted.file.folder;
		return outputOf(wanted, progress, { folder, video, skipped: true });
	}
	throw item.error(
		`"${name}" was not uploaded: upload ${record?.uploadId} of the same name is complete, but its video is not listed under that name yet.`,
		'Run this again later. If you deleted or renamed the video, switch off Skip If Exists, or wait ten minutes.',
	);
}

/** The output for a complete upload. Its video is looked up, and gets its title and thumbnail. */
async function completeOutput(
	context: IExecuteFunctions,
	wanted: WantedUpload,
	record: UploadRecord,
	progress: UploadProgress,
): Promise<IDataObject> {
	try {
		const found = await videoOf(context, wanted, record);
		for (const hint of hintsOf(wanted, record, progress, found)) addHint(context, hint);
		return outputOf(wanted, progress, { video: found?.video, folder: folderOf(record) });
	} catch (error) {
		const { file, uploadId } = record;
		throw toUploadError(context, error, { size: file.size, uploadId, isComplete: true });
	} finally {
		setBusy(record, false);
	}
}

/**
 * The texts of the hints about a complete upload.
 *
 * @param found undefined when the video was not looked up
 */
function* hintsOf(
	{ file: { name }, returnVideo }: WantedUpload,
	{ needsThumbnail, planId }: UploadRecord,
	{ replaced }: UploadProgress,
	found: LookupResult | undefined,
): Generator<string> {
	if (replaced?.uploadId)
		yield `"${name}" was uploaded from its beginning: upload ${replaced.uploadId} could not be resumed, as ${replaced.reason}.`;
	if (returnVideo && planId === undefined)
		yield '"video" is null because no plan is set. Enter the Plan ID in the credential or in the options of this node, or switch Return Video off.';
	if (found?.video && needsThumbnail)
		yield `"${name}" has no thumbnail, as Resume sets none. Set it with Video → Set Thumbnail.`;
	if (found && !found.video)
		yield `"${name}" is uploaded, but ${found.reason}. Find it later with Video → Search.`;
}

async function videoOf(
	context: IExecuteFunctions,
	{ returnVideo, thumbnail }: WantedUpload,
	record: UploadRecord,
): Promise<LookupResult | undefined> {
	const { planId, status } = record;
	if (planId === undefined) return undefined;
	if (status === 'complete') return { video: await finishVideo(context, record, { planId, thumbnail }) };
	return returnVideo ? await findNewVideo(context, planId, record) : undefined;
}

/**
 * The output item: the fields of every upload in the same order.
 *
 * @param folder UUID of the folder that the upload was created for; the record of the video says more
 * @param skipped whether the video is of another upload
 */
function outputOf(
	{ file }: WantedUpload,
	{ uploadId, offset, bytesSent, resumes, startedAt, waitedMs }: UploadProgress,
	{ folder, skipped = false, video }: { folder?: string; skipped?: boolean; video?: Video },
): IDataObject {
	const listed = video?.folder;
	return {
		uploadId: uploadId ?? null,
		fileName: file.name,
		size: file.size,
		offset: skipped ? null : offset,
		complete: skipped ? null : true,
		folder: listed === 'none' ? null : (listed?.uuid ?? folder ?? null),
		bytesSent,
		resumes,
		waitedMs,
		durationMs: Math.round(performance.now() - startedAt),
		skipped,
		video: video ? { ...video.record } : null,
	};
}
