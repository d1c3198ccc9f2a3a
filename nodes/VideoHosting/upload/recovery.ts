import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries, type ErrorKind } from '../shared/patience';
import { POLICIES } from '../shared/policies';
import { errorMessage } from '../shared/text';
import { pause } from '../shared/waiting';
import { ContentMismatchError, TransferError } from '../sources/transfer';
import {
	errorKind,
	isConflict,
	isNotFound,
	isSlotBusy,
	isTokenRejected,
	retryAfterOf,
	wasRetried,
} from '../transport/errorMeaning';
import { cancelSignal } from '../transport/request';
import type { PendingUpload } from './memory';
import type { UploadSlot } from './slot';
import { UnknownUploadError } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';

/** The tries of an upload since its highest offset last rose: a line that breaks once an hour may do so all day. */
export class Recovery {
	private tries = new Tries();

	private highestOffset = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly log: UploadLog,
		private readonly slot: UploadSlot,
	) {}

	/**
	 * Waits for the next try.
	 *
	 * @param wasSent whether the service may have bytes of the file
	 * @param pending the upload, once it is created
	 * @returns whether there is another try
	 * @throws the cancel signal's reason; as {@link UploadSlot.waits}
	 */
	async isRetried(error: unknown, wasSent: boolean, pending?: PendingUpload): Promise<boolean> {
		const { context, log, slot } = this;
		const cancelled = cancelSignal(context);
		cancelled?.throwIfAborted();
		if (isSlotBusy(error)) return await slot.waits(error, pending === undefined);
		const { offset = 0 } = pending ?? {};
		// Only a new highest offset is progress: an offset that moves back and forth would be retried forever.
		if (offset > this.highestOffset) {
			this.tries = new Tries();
			this.highestOffset = offset;
		}
		const { request, transfer } = POLICIES;
		// As long as nothing was sent, an unreachable service fails like any other operation.
		const policy = wasSent ? transfer : request;
		const kind = kindOfFailure(error, pending !== undefined);
		const pauseMs = this.tries.nextPause(policy, kind, retryAfterOf(error));
		if (pauseMs === undefined) return false;
		log.write(`was interrupted and continues in ${pauseMs} ms: ${errorMessage(error)}`);
		await pause(pauseMs, cancelled);
		return true;
	}
}

function kindOfFailure(error: unknown, exists: boolean): ErrorKind {
	// Before an upload exists, the next try may read the same file again.
	if (exists && error instanceof ContentMismatchError) return 'final';
	if (error instanceof TransferError) return error.isTransient ? 'passes' : 'final';
	if (error instanceof UnknownUploadError) return 'unknown';
	if (wasRetried(error)) return 'final';
	if (isConflict(error)) return 'passes';
	// The HEAD of the next try renews the token, as a streamed PATCH cannot be repeated, and decides whether the upload is unknown.
	if (isTokenRejected(error) || isNotFound(error)) return exists ? 'rejected' : 'final';
	return errorKind(error);
}
