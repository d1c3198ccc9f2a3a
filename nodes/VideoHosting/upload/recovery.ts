import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries, type ErrorKind } from '../shared/patience';
import { POLICIES } from '../shared/policies';
import { errorMessage } from '../shared/text';
import { pause } from '../shared/waiting';
import { TransferError } from '../sources/transfer';
import {
	errorKind,
	isConflict,
	isNotFound,
	isTokenRejected,
	retryAfterOf,
	wasRetried,
} from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { UnknownUploadError } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';

/** The tries of an upload since its highest offset last rose. */
export class Recovery {
	private readonly tries = new Tries();

	private highestOffset = 0;

	/** @param exists whether the upload was created */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly log: UploadLog,
		private readonly exists: boolean,
	) {}

	/**
	 * Waits for the next try.
	 *
	 * @param wasSent whether the service may have bytes of the file
	 * @returns whether there is another try
	 * @throws the cancel signal's reason
	 */
	async isRetried(error: unknown, wasSent: boolean): Promise<boolean> {
		const { request, transfer } = POLICIES;
		// As long as nothing was sent, an unreachable service fails like any other operation.
		const policy = wasSent ? transfer : request;
		const pauseMs = this.tries.nextPause(policy, kindOfFailure(error, this.exists), retryAfterOf(error));
		if (pauseMs === undefined) return false;
		this.log.write(`was interrupted and continues in ${pauseMs} ms: ${errorMessage(error)}`);
		await pause(pauseMs, cancelSignal(this.context));
		return true;
	}

	/** Only a new highest offset is progress: an offset that moves back and forth would be retried forever. */
	reached(offset: number): void {
		this.tries.reset(offset > this.highestOffset ? undefined : 'unknown');
		this.highestOffset = Math.max(this.highestOffset, offset);
	}
}

function kindOfFailure(error: unknown, exists: boolean): ErrorKind {
	if (error instanceof TransferError) return error.isTransient ? 'passes' : 'final';
	if (error instanceof UnknownUploadError) return 'unknown';
	if (wasRetried(error)) return 'final';
	if (isConflict(error)) return 'passes';
	// The HEAD of the next try renews the token, as a streamed PATCH cannot be repeated, and decides whether the upload is unknown.
	if (isTokenRejected(error) || isNotFound(error)) return exists ? 'rejected' : 'final';
	return errorKind(error);
}
