import type { Video } from '../service/video';
import type { Source } from '../sources/source';
import type { ImageFile } from './finishVideo';
import type { UploadRecord } from './memory';
import type { UploadFile } from './tus/uploadRequests';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	/** The name has no mark. */
	file: UploadFile;
	/** Title for the video; '' for none. */
	title: string;
	thumbnail?: ImageFile;
	planId?: string;
	/** The upload to resume: Resume never creates another one. */
	uploadId?: string;
	/** Whether to resume an unfinished upload of the same file that this process remembers. */
	resumeUnfinished: boolean;
	/** Skips the upload when its video exists; needs `planId`. */
	skipIfExists: boolean;
	/** Budget of all waits for the upload slot, in milliseconds. */
	maxWaitMs: number;
	/** Longest time without a moving byte, in milliseconds. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH; Infinity for the whole remainder. */
	maxRequestBytes: number;
}

/** Whether title or thumbnail of the new video are set after the upload, so that its first name needs a mark. */
export function changesVideo({ thumbnail, title }: Pick<UploadJob, 'thumbnail' | 'title'>): boolean {
	return thumbnail !== undefined || title !== '';
}

/**
 * Stores in a record what its video is to become. A job without a plan keeps the known plan, and Resume without a title
 * the title. Resume knows best what a foreign upload is.
 */
export function noteWishes(record: UploadRecord, job: UploadJob): void {
	const { file, planId, thumbnail, title, uploadId } = job;
	if (record.isForeign) Object.assign(record.file, { name: file.name, size: file.size });
	// A video that was found in another plan is another video.
	if (planId !== undefined && planId !== record.planId) Object.assign(record, { planId, video: undefined });
	if (uploadId === undefined || title !== '') record.title = title;
	if (uploadId === undefined) record.needsThumbnail = thumbnail !== undefined;
}

/** How far an upload got. */
export class UploadProgress {
	/** Last offset that the service reported, in bytes; undefined after more bytes were sent. */
	offset?: number;

	/** Bytes of the file that were sent in this run. */
	bytesSent = 0;

	resumes = 0;

	/** When the upload began, by a monotonic clock; milliseconds. */
	readonly startedAt = performance.now();

	/** Time spent waiting for the upload slot, in milliseconds. */
	waitedMs = 0;

	/** The upload that a new one replaces, and why, as a clause. */
	replaced?: { uploadId: string; reason: string };

	constructor(public uploadId: string | undefined) {}
}

/** A listed video, or a complete upload of this process whose video may not be listed yet. */
export interface ExistingVideo {
	video?: Video;
	record?: UploadRecord;
}

/** `complete`: the upload of the file, locked until its video is finished. `existing`: nothing was sent. */
export type UploadResult = { complete: UploadRecord } | { existing: ExistingVideo };
