import type { IDataObject } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import type { Source } from '../sources/source';
import type { ImageFile } from './finishVideo';
import type { OpenEntry } from './ledgerEntry';
import type { SlotHolder } from './slot';
import { unwrapResponseError, type UploadFile } from './tus/uploadRequests';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	file: UploadFile;
	/** The title that the video is to have; '' for none. */
	title: string;
	/** The thumbnail that the video is to have. */
	thumbnail?: ImageFile;
	planId?: string;
	/** ID of an existing upload to resume; no other is created then. */
	uploadId?: string;
	/** Whether to resume an unfinished upload of the same file that is known here. */
	resumeUnfinished: boolean;
	/** How long to wait for the upload slot, in milliseconds; a whole number. */
	maxWaitMs: number;
	/** The connection is closed when no byte moved for this many milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Most bytes of one PATCH, a whole number from 1; Infinity for the whole remainder. */
	maxRequestBytes: number;
	/** Whether a video that exists makes the upload unnecessary; needs `planId`. */
	skipIfExists: boolean;
}

/** Whether title or thumbnail of the new video are set, so that it needs a name of its own. */
export function changesVideo({ thumbnail, title }: Pick<UploadJob, 'thumbnail' | 'title'>): boolean {
	return thumbnail !== undefined || title !== '';
}

/** What makes an upload unnecessary: a listed video, or one of this process that is not listed yet. While it is busy, it may. */
export type ExistingVideo = { video: IDataObject } | { entry: OpenEntry };

/** What an upload has come to, or how far it got. */
export interface UploadState {
	uploadId: string | undefined;
	/** Bytes that the service has, as it reported. */
	offset: number;
	/** Bytes of the file that were sent in this run. */
	bytesSent: number;
	/** How often the upload was resumed at the service's offset. */
	resumes: number;
	/** How long the upload waited for the slot, in milliseconds. */
	waitedMs: number;
	/** The upload that the service no longer knew, so that a new one was needed; `isAllSent`: it may have become a video. */
	lost?: { uploadId: string; offset: number; isAllSent: boolean };
	/** Uploads that the file turned out not to belong to, so that another one was needed. */
	abandoned: Array<{ uploadId: string; reason: string }>;
	/**
	 * Why the upload is not to be resumed: the service has bytes that do not belong to this file or no file, does not know the
	 * upload, was sent all bytes and may still list the video, or has bytes that were not compared with this file.
	 */
	ending?: 'corrupt' | 'unknown' | 'pending' | 'unverified';
	/** Whether the response to a create was lost, so that the service may hold an upload whose ID nobody knows. */
	isCreateLost: boolean;
	/** The unfinished upload that the wait for the slot ended with. */
	slotHolder?: SlotHolder;
	/** Whether the service is known to be reachable at this address. */
	isReachable: boolean;
	/** Times in a row that the service reported the upload as unknown. */
	unknownTries: number;
}

/** The state of an upload before its first request. */
export function newState(uploadId?: string): UploadState {
	return {
		uploadId,
		offset: 0,
		bytesSent: 0,
		resumes: 0,
		waitedMs: 0,
		abandoned: [],
		isCreateLost: false,
		isReachable: false,
		unknownTries: 0,
	};
}

/** An upload that did not complete: why, and how far it got. */
export class UploadInterruptedError extends Error {
	/** @param reason the error that ended it */
	constructor(
		readonly reason: unknown,
		readonly state: UploadState,
	) {
		super(errorMessage(reason));
	}
}

/** The error for an upload that ended with `error`. */
export function interruptedError(error: unknown, state: UploadState): UploadInterruptedError {
	return new UploadInterruptedError(unwrapResponseError(error), state);
}
