import type { Video } from '../service/video';
import { errorMessage } from '../shared/errorMessage';
import type { Source } from '../sources/source';
import type { ImageFile } from './finishVideo';
import type { UploadRecord } from './memory';
import type { UploadFile } from './tus/uploadRequests';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	/** As the user knows it: the name has no mark. */
	file: UploadFile;
	/** The title that the video is to have; '' for none. */
	title: string;
	/** The thumbnail that the video is to have. */
	thumbnail?: ImageFile;
	planId?: string;
	/** ID of the upload to resume; no other is created then. */
	uploadId?: string;
	/** Whether to resume an unfinished upload of the same file that this process remembers. */
	resumeUnfinished: boolean;
	/** Whether a video that exists makes the upload unnecessary; needs `planId`. */
	skipIfExists: boolean;
	/** How long to wait for the upload slot in total, in milliseconds. */
	maxWaitMs: number;
	/** The connection is closed when no byte moved for this many milliseconds. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH; Infinity for the whole remainder. */
	maxRequestBytes: number;
}

/** Whether title or thumbnail of the new video are set after the upload, so that its first name needs a mark. */
export function changesVideo({ thumbnail, title }: Pick<UploadJob, 'thumbnail' | 'title'>): boolean {
	return thumbnail !== undefined || title !== '';
}

/**
 * Stores in a record what its video is to become. A job without a plan keeps the known plan; Resume keeps the thumbnail, and without
 * a title of its own the title, too.
 */
export function noteWishes(record: UploadRecord, { planId, thumbnail, title, uploadId }: UploadJob): void {
	// A video that was found in another plan is another video.
	if (planId !== undefined && planId !== record.planId) Object.assign(record, { planId, video: undefined });
	const isResume = uploadId !== undefined;
	if (!isResume || title !== '') record.title = title;
	if (!isResume) record.lacksThumbnail = thumbnail !== undefined;
}

/** How far an upload got. */
export interface UploadProgress {
	uploadId: string | undefined;
	/** Bytes that the service has, as it reported; undefined when that is not known. */
	offset: number | undefined;
	/** Bytes of the file that were sent in this run. */
	bytesSent: number;
	/** How often the upload was resumed at the service's offset. */
	resumes: number;
	/** When the upload began, by a monotonic clock; milliseconds. */
	readonly startedAt: number;
	/** How long it waited for the upload slot, in milliseconds. */
	waitedMs: number;
	/** The upload that could not be resumed, so that a new one was needed, and why, as a clause. */
	replaced?: { uploadId: string; reason: string };
}

/** What makes an upload unnecessary: a listed video, or a complete upload of this process whose video a list need not show yet. */
export type ExistingVideo = { video: Video } | { record: UploadRecord };

/** The service has the whole file, and the record stays busy until its video is finished. Or the file need not be sent. */
export type UploadResult =
	| { kind: 'complete'; progress: UploadProgress; record: UploadRecord }
	| { kind: 'exists'; progress: UploadProgress; existing: ExistingVideo };

/** An upload that did not complete. */
export class UploadInterruptedError extends Error {
	constructor(
		readonly reason: unknown,
		readonly progress: UploadProgress,
	) {
		super(errorMessage(reason));
	}
}
