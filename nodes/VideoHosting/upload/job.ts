import type { Source } from '../sources/source';
import type { UploadFile } from './tus/uploadRequests';

/** An image file in memory. */
export interface ImageFile {
	bytes: Buffer;
	/** `image/…` */
	mimeType: string;
	fileName: string | undefined;
}

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
	/** Whether to find the new video; needs `planId`. */
	returnVideo: boolean;
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
