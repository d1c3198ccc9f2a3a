import { isSameName, isSameUuid } from '../../service/record';
import { isIn } from '../../service/video';
import type { UploadJob, UploadProgress } from '../../upload/job';
import type { UploadRecord } from '../../upload/memory';
import type { LookupResult } from '../../upload/newVideo';
import { videoNamesOf } from '../../upload/videoNames';

/** One file of an input item, and whether its video is returned. */
export interface WantedUpload extends UploadJob {
	returnVideo: boolean;
}

/**
 * The texts of the hints about a complete upload.
 *
 * @param found undefined when the video was not looked up
 */
export function* hintsOf(
	{ file: { folder, name }, returnVideo, uploadId }: WantedUpload,
	record: UploadRecord,
	{ replaced }: UploadProgress,
	found: LookupResult | undefined,
): Generator<string> {
	const { file, isForeign, lacksThumbnail, planId, status, title } = record;
	if (replaced?.uploadId)
		yield `"${name}" was uploaded from its beginning: upload ${replaced.uploadId} could not be resumed, as ${replaced.reason}.`;
	if (returnVideo && status === 'deleted' && !found?.video)
		yield `"video" is null because this n8n has deleted the video of upload ${record.uploadId}.`;
	else if (returnVideo && planId === undefined)
		yield '"video" is null because no plan is set. Enter the Plan ID in the credential or in the options of this node, or switch Return Video off.';
	const video = found?.video;
	if (found && !found.video)
		yield `"${name}" is uploaded, but ${found.reason}. Find it later with Video → Search.`;
	if (video && lacksThumbnail) yield `"${name}" has no thumbnail yet. Set it with Video → Set Thumbnail.`;
	// The service keeps the name and the folder that an upload was created with, whatever Resume sends.
	const mayDiffer = isForeign ? video !== undefined : uploadId !== undefined && status !== 'deleted';
	if (!mayDiffer) return;
	const listed = video ? (video.name ?? name) : title || file.name;
	if (!videoNamesOf(title || name).some((own) => isSameName(own, listed)))
		yield `The video is called "${listed}", as its upload was created. To rename it, set the option Title of Resume.`;
	const wanted = { uuid: folder };
	if (folder !== undefined && !((video && isIn(video, wanted)) ?? isSameUuid(file.folder, folder)))
		yield `"${listed}" is not in the chosen folder, as its upload was created for another one. Use Video → Move.`;
}
