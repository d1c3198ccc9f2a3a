import type { Source } from './source/source';

/** One file to bring to the service, and how patiently. */
export interface UploadJob {
	source: Source;
	fileName: string;
	/** UUID of the target gallery. */
	folder?: string;
	/** Of an upload that exists; no other is created then. */
	uploadId?: string;
	/** Whether to take up an unfinished upload of the same file that the workflow remembers. */
	resumeUnfinished: boolean;
	/** How long to wait for the upload slot, in milliseconds. */
	maxWaitMs: number;
	/** The connection is given up when no byte moved for so many milliseconds. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH; Infinity for the whole remainder. */
	maxRequestBytes: number;
	itemIndex: number;
	/** Told how many bytes of the file are sent, after each chunk. */
	onProgress: (offset: number) => void;
}

/** What an upload came to, or how far it got. */
export interface UploadFigures {
	uploadId: string | undefined;
	/** Bytes that the service has, by its own word. */
	offset: number;
	/** Bytes of the file that went out in this run. */
	bytesSent: number;
	/** How often the upload was taken up again at the service's offset. */
	resumes: number;
	/** How long the upload slot was waited for, in milliseconds. */
	waitedMs: number;
	/** ID of an upload that the service forgot, so that this one began at byte 0. */
	forgottenUploadId: string | undefined;
}
