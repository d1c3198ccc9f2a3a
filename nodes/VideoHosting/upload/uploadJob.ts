import type { SlotHolder } from './slotHolder';
import type { Source } from '../sources/source';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	fileName: string;
	/** UUID of the target gallery. */
	folder?: string;
	/** ID of an existing upload to resume; no other is created then. */
	uploadId?: string;
	/** Whether to resume an unfinished upload of the same file that the workflow remembers. */
	resumeUnfinished: boolean;
	/** How long to wait for the upload slot, in milliseconds; a whole number. */
	maxWaitMs: number;
	/** The connection is closed when no byte moved for this many milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH, a whole number from 1; Infinity for the whole remainder. */
	maxRequestBytes: number;
	itemIndex: number;
	/** Called with the number of bytes of the file that are sent, after each chunk. */
	onProgress: (offset: number) => void;
}

/** The result of an upload, or how far it got. */
export interface UploadFigures {
	uploadId: string | undefined;
	/** Bytes that the service has, as it reported. */
	offset: number;
	/** Bytes of the file that were sent in this run. */
	bytesSent: number;
	/** How often the upload was resumed at the service's offset. */
	resumes: number;
	/** How long the upload waited for the slot, in milliseconds. */
	waitedMs: number;
	/** The upload that the service forgot, so that a new one was needed. */
	forgotten: { uploadId: string; offset: number } | undefined;
	/** Uploads that the file turned out not to belong to, so that another one was needed. */
	abandoned: Array<{ uploadId: string; reason: string }>;
	/** Whether the service has bytes that do not belong to this file or no file, so that the upload cannot be completed. */
	isSpoiled: boolean;
	/** Whether the service reported the upload as unknown in the end. */
	isUnknown: boolean;
	/** Whether the response to a create was lost, so that the service may hold an upload whose ID nobody knows. */
	isCreateLost: boolean;
	/** The unfinished upload that the wait for the slot ended with. */
	slotHolder: SlotHolder | undefined;
}
