import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import type { Source } from '../sources/source';
import { cancelSignal } from '../transport/request';
import type { LedgerFile, OpenEntry } from './ledgerEntry';
import type { SlotHolder } from './slot';
import { unwrapResponseError } from './tus/uploadRequests';

/** One file to upload, and the limits of its waits. */
export interface UploadJob {
	source: Source;
	file: LedgerFile;
	/** The title that the video is to have; '' for none. */
	title: string;
	hasThumbnail: boolean;
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
	itemIndex: number;
	/** Whether a video that exists makes the upload unnecessary; needs `planId`. */
	skipIfExists: boolean;
}

/** Whether title or thumbnail of the new video are set, so that it needs a name of its own. */
export function changesVideo({ hasThumbnail, title }: UploadJob): boolean {
	return hasThumbnail || title !== '';
}

/** What makes an upload unnecessary: a listed video, one of this process that is not listed yet, or one that may become it. */
export type ExistingVideo = { video: IDataObject } | { entry: OpenEntry } | { busy: Promise<void> };

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
	/** The upload that the service no longer knew, so that a new one was needed. */
	lost: { uploadId: string; offset: number } | undefined;
	/** Uploads that the file turned out not to belong to, so that another one was needed. */
	abandoned: Array<{ uploadId: string; reason: string }>;
	/** Whether the service has bytes that do not belong to this file or no file, so that the upload cannot be completed. */
	isCorrupt: boolean;
	/** Whether the service reported the upload as unknown in the end. */
	isUnknown: boolean;
	/** Whether all bytes were sent, and the video may still be listed. */
	isPending?: boolean;
	/** Whether the response to a create was lost, so that the service may hold an upload whose ID nobody knows. */
	isCreateLost: boolean;
	/** The unfinished upload that the wait for the slot ended with. */
	slotHolder: SlotHolder | undefined;
}

/** The state of an upload before its first request. */
export function newState(uploadId: string | undefined): UploadState {
	return {
		uploadId,
		offset: 0,
		bytesSent: 0,
		resumes: 0,
		waitedMs: 0,
		lost: undefined,
		abandoned: [],
		isCorrupt: false,
		isUnknown: false,
		isCreateLost: false,
		slotHolder: undefined,
	};
}

/** An upload that did not complete: why, and how far it got. */
export class UploadInterruptedError extends Error {
	/**
	 * @param reason the error that ended it
	 * @param cancelled whether the execution was cancelled
	 */
	constructor(
		readonly reason: unknown,
		readonly state: UploadState,
		readonly cancelled: boolean,
	) {
		super(errorMessage(reason));
	}
}

/** The error for an upload that ended with `error`, or with the execution. */
export function interruptedError(
	context: IExecuteFunctions,
	error: unknown,
	state: UploadState,
): UploadInterruptedError {
	const isCancelled = cancelSignal(context)?.aborted === true;
	return new UploadInterruptedError(unwrapResponseError(error), state, isCancelled);
}
