import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries, type ErrorKind, type NextTry } from '../shared/patience';
import { policiesOf } from '../shared/policies';
import { TransferError } from '../sources/transfer';
import { errorKind, hasStatus, retryAfterOf, wasRetried } from '../transport/errors';
import { UnknownUploadError } from './tus/uploadRequests';

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const PASSING_STATUS = /^(408|409|423|425)$/;

/** The tries of an upload since its highest offset last rose. */
export class Recovery {
	private readonly tries = new Tries();

	private highestOffset = 0;

	/** @param exists whether the upload was created */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly exists: boolean,
	) {}

	/** @param wasSent whether the service may have bytes of the file */
	after(error: unknown, wasSent: boolean): NextTry {
		const { request, transfer } = policiesOf(this.context);
		// As long as nothing was sent, an unreachable service fails like any other operation.
		const policy = wasSent ? transfer : request;
		return this.tries.next(policy, kindOfFailure(error, this.exists), retryAfterOf(error));
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
	if (hasStatus(error, PASSING_STATUS)) return 'passes';
	// The HEAD of the next try renews the token, as a streamed PATCH cannot be repeated, and decides whether the upload is unknown.
	if (hasStatus(error, /^(401|403|404|410)$/)) return exists ? 'rejected' : 'final';
	return errorKind(error);
}
