import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries, type ErrorKind, type NextTry } from '../shared/patience';
import { policiesOf } from '../shared/policies';
import { TransferError } from '../sources/transfer';
import { hasStatus, isServiceError, errorKind, retryAfterOf } from '../transport/errors';
import { NOT_FOUND } from '../transport/response';
import type { UploadProgress } from './job';
import { UnknownUploadError } from './tus/uploadRequests';

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const PASSING_STATUS = /^(408|409|423|425)$/;

/** The tries of an upload since its highest offset last rose. */
export class Recovery {
	private readonly tries = new Tries();

	private highestOffset = 0;

	constructor(private readonly context: IExecuteFunctions) {}

	/** @param exists whether the upload exists at the service */
	after(error: unknown, { bytesSent, offset }: UploadProgress, exists: boolean): NextTry {
		const { request, transfer } = policiesOf(this.context);
		// Before the first response about the upload, an unreachable service fails like any other operation.
		const policy = offset === undefined && bytesSent === 0 ? request : transfer;
		return this.tries.next(policy, kindOfFailure(error, exists), retryAfterOf(error));
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
	// Requests before the upload existed have had their own retries.
	if (!exists) return 'final';
	if (hasStatus(error, PASSING_STATUS)) return 'passes';
	// The HEAD of the next try renews the token: a streamed PATCH cannot be repeated with a new one.
	if (hasStatus(error, /^(401|403)$/)) return 'rejected';
	// HEAD decides whether the upload is unknown; a gateway's 404 says nothing about the upload.
	if (hasStatus(error, NOT_FOUND)) return isServiceError(error, /./) ? 'rejected' : 'passes';
	return errorKind(error);
}
