import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { Parameter } from '../../parameters/parameter';
import { quoted } from '../../parameters/values';
import type { FolderOfVideo, Video } from '../../service/video';
import { storedNameNote } from '../../service/record';
import { findVideo } from '../../service/videos';
import { addHint, afterItems } from '../../shared/runHints';
import { UploadProgress, type UploadJob } from '../../upload/job';
import type { LookupResult, UploadedVideo, UploadResult } from '../../upload/memory';
import { uploadFile } from '../../upload/upload';
import { isAmong, namesOf } from '../../upload/videoNames';
import { type Item, PendingResult } from '../operation';
import { uploadJob } from './parameters';
import { toUploadError, type KnownUpload } from './uploadError';

/**
 * Uploads one file of an input item. The new video is looked up and renamed in a {@link PendingResult}, while the next item is
 * uploaded.
 *
 * @param idField the ID of the upload to resume; without it one is created, or an unfinished one resumed
 * @throws OperationError with the upload's ID, offset and size
 */
export async function uploadItem(item: Item, idField?: Parameter<string>): Promise<PendingResult> {
	const { context } = item;
	const known: KnownUpload = {};
	try {
		known.uploadId = idField && item.read(idField);
		const job = await uploadJob(item, known.uploadId, (size) => (known.size = size));
		known.mayResume = job.resumeUnfinished;
		known.progress = new UploadProgress(known.uploadId);
		const result = await uploadFile(context, job, known.progress);
		return new PendingResult(output(item, job, known.progress, result));
	} catch (error) {
		throw toUploadError(context, error, known);
	}
}

/** The output item, once the video is found and has its title and thumbnail. */
async function output(
	item: Item,
	job: UploadJob,
	progress: UploadProgress,
	{ found, isSkipped, uploaded }: UploadResult,
): Promise<IDataObject> {
	const { context } = item;
	try {
		const looked = await found;
		const video = looked?.video;
		const hints = isSkipped
			? skippedHints(job, video, uploaded)
			: completeHints(job, progress, uploaded, looked);
		for (const hint of hints) addHint(context, hint, isSkipped ? 'warning' : 'info');
		const json = outputOf(job, progress, { isSkipped, uploaded, video });
		if (uploaded && looked?.sentName !== undefined) compareName(context, uploaded, looked.sentName, json);
		return json;
	} catch (error) {
		const complete = isSkipped ? {} : { uploadId: uploaded?.uploadId, isComplete: true };
		throw toUploadError(context, error, { size: job.file.size, ...complete });
	}
}

/** Has a hint when the service has stored another name than was sent. One reading of the list shows the names of all items. */
function compareName(
	context: IExecuteFunctions,
	{ file, hash = '', planId = '', title }: UploadedVideo,
	sentName: string,
	json: IDataObject,
): void {
	afterItems(context).push(async (endedAt) => {
		const stored = await findVideo(context, planId, hash, endedAt).catch(() => undefined);
		const note = storedNameNote(sentName, stored?.name);
		if (!stored || note === undefined) return;
		json.video = { ...stored.record };
		// Skip If Exists finds a name without its extension.
		if (!isAmong(namesOf(file.name, title), stored.name))
			addHint(context, `Video ${quoted(sentName)}: ${note}`, 'warning');
	});
}

/** The text of the hint about a skipped file of another size: it names what was compared. */
function skippedHints(
	{ file: { name, size }, title }: UploadJob,
	video: Video | undefined,
	uploaded: UploadedVideo | undefined,
): string[] {
	const existingSize = video?.size ?? uploaded?.file.size ?? size;
	if (existingSize === size) return [];
	return [
		`${quoted(name)} was skipped: the video ${quoted(title || name)} has ${existingSize} bytes, and this file ${size}. If it is another file, give it a File Name or Title of its own.`,
	];
}

/** The texts of the hints about a complete upload. */
function* completeHints(
	{ file: { name }, returnVideo, uploadId }: UploadJob,
	{ replaced }: UploadProgress,
	{ mark, planId, title }: Partial<UploadedVideo> = {},
	looked: LookupResult | undefined,
): Generator<string> {
	if (replaced)
		yield `${quoted(name)} was uploaded from its beginning: upload ${replaced.uploadId} could not be resumed, as ${replaced.reason}.`;
	if (returnVideo && planId === undefined)
		yield '"video" is null because no plan is set. Enter the Plan ID in the credential or in the options of this node, or switch Return Video off.';
	// Without a title, the mark was for the thumbnail.
	if (looked?.video && uploadId !== undefined && mark !== undefined && title === '')
		yield `${quoted(name)} has no thumbnail, as Resume sets none. Set it with Video → Set Thumbnail.`;
	if (looked && !looked.video)
		yield `${quoted(name)} is uploaded, but ${looked.reason}. Find it later with Video → Search; Video → Update renames it.`;
}

/** The output item: the fields of every upload in the same order. */
function outputOf(
	{ file }: UploadJob,
	{ bytesSent, offset, resumes, startedAt, uploadId, waitedMs }: UploadProgress,
	{ isSkipped, uploaded, video }: { isSkipped: boolean; uploaded?: UploadedVideo; video?: Video },
): IDataObject {
	// A skipped file's video that shows its folder in any way was found in the chosen one.
	const shown: FolderOfVideo = video?.folder ?? { kind: 'unknown' };
	const isUnknown = isSkipped && shown.kind === 'unknown';
	const chosen = isUnknown ? undefined : (isSkipped ? file : uploaded)?.folder;
	const listed = shown.kind === 'in' ? shown.uuid : undefined;
	return {
		skipped: isSkipped,
		video: video ? { ...video.record } : null,
		uploadId: isSkipped ? null : (uploadId ?? null),
		fileName: file.name,
		size: file.size,
		offset: isSkipped ? null : offset,
		complete: isSkipped ? null : true,
		folder: shown.kind === 'none' ? null : (listed ?? chosen ?? null),
		bytesSent,
		resumes,
		waitedMs,
		durationMs: Math.round(performance.now() - startedAt),
	};
}
