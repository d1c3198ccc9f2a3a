import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries, type ErrorKind, type NextTry } from '../shared/patience';
import { policiesOf } from '../shared/policies';
import { TransferError } from '../sources/transferErrors';
import { hasStatus, isServiceError, errorKind, retryAfterOf } from '../transport/errors';
import type { UploadProgress } from './job';
import { UnknownUploadError } from './tus/uploadState';

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const PASSING_STATUS = /^(408|409|423|425)$/;

/** What was tried for an upload since its highest offset last rose. */
export class Recovery {
	private readonly tries = new Tries();

	private highestOffset = 0;

	constructor(private readonly context: IExecuteFunctions) {}

	/** @param exists whether the upload exists at the service */
	after(error: unknown, { bytesSent, offset }: UploadProgress, exists: boolean): NextTry {
		const { request, transfer } = policiesOf(this.context);
		// Until the service has said something of the upload, its requests are like others.
		const policy = offset === undefined && bytesSent === 0 ? request : transfer;
		return this.tries.next(policy, kindOfFailure(error, exists), retryAfterOf(error));
	}

	/** Only an offset that was never reached before is progress: one that moves back and forth would be retried forever. */
	reached(offset: number): void {
		this.tries.reset(offset > this.highestOffset ? undefined : 'unknown');
		this.highestOffset = Math.max(this.highestOffset, offset);
	}
}

function kindOfFailure(error: unknown, exists: boolean): ErrorKind {
	if (error instanceof TransferError) return error.isTransient ? 'passes' : 'final';
	if (error instanceof UnknownUploadError) return 'unknown';
	// What was requested before the upload existed has been repeated by itself.
	if (!exists) return 'final';
	if (hasStatus(error, PASSING_STATUS)) return 'passes';
	// The HEAD of the next try renews the token: a streamed PATCH cannot be repeated with a new one.
	if (hasStatus(error, /^(401|403)$/)) return 'rejected';
	// HEAD shows whether the upload is unknown. What is not the service's own answer says nothing about that.
	if (hasStatus(error, /^(404|410)$/)) return isServiceError(error, /./) ? 'rejected' : 'passes';
	return errorKind(error);
}
