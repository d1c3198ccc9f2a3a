import { backoffDelay } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { ContentMismatchError, TransferError } from '../sources/transferErrors';
import { hasStatus, isRateLimited, isTransient, retryAfterOf } from '../transport/errors';
import { UnknownUploadError } from './tus/uploadState';

/** Errors of one upload since its highest offset last rose, and in total. */
export class Failures {
	inRow = 0;

	/** How many of these rejected a request that a later try may send successfully. */
	rejected = 0;

	/** How often in a row the service did not know the upload. */
	unknown = 0;

	total = 0;

	private highestOffset = 0;

	add(error: unknown): void {
		// A wait for the slot is not a failure.
		if (isRateLimited(error)) return;
		this.inRow++;
		this.total++;
		if (isRejected(error)) this.rejected++;
		this.unknown = error instanceof UnknownUploadError ? this.unknown + 1 : 0;
	}

	/** Only an offset that was never reached before is progress: one that moves back and forth would be retried forever. */
	reached(offset: number): void {
		this.unknown = 0;
		if (offset > this.highestOffset) this.inRow = this.rejected = 0;
		this.highestOffset = Math.max(this.highestOffset, offset);
	}
}

/** What follows an error of an upload. */
export type Recovery =
	/** The next try, after a pause in milliseconds. */
	| { step: 'retry'; pauseMs: number }
	/** The service is busy with another upload. */
	| { step: 'wait' }
	/** The upload cannot be continued, but a new one can take its place; the reason is a clause. */
	| { step: 'replace'; reason: string }
	| { step: 'fail' };

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const PASSING_STATUS = /^(408|409|423|425)$/;

/**
 * The token, which the HEAD of the next try renews: a streamed PATCH cannot be repeated with a new one. Or an upload that is not
 * known to PATCH: HEAD shows whether that is so.
 */
const REJECTED_STATUS = /^(401|403|404|410)$/;

/**
 * Decides what follows an error of an upload.
 *
 * @param failures with this error
 * @param exists whether the upload exists at the service
 */
export function recoveryFrom(error: unknown, failures: Failures, exists: boolean): Recovery {
	const { errorPause, rejectedTries, totalTries, tries } = retryPolicy;
	if (error instanceof ContentMismatchError) return { step: 'replace', reason: error.reason };
	if (isRateLimited(error)) return { step: 'wait' };
	if (failures.unknown >= rejectedTries)
		return { step: 'replace', reason: 'the service does not know it any more' };
	const mayPass = isPassing(error) || (exists && isRejected(error) && failures.rejected < rejectedTries);
	// That the service does not know an upload is asked a few times of its own.
	const isEnough = failures.inRow >= tries && failures.unknown === 0;
	if (!mayPass || isEnough || failures.total >= totalTries) return { step: 'fail' };
	// A service may ask for hours.
	const leastMs = Math.min(retryAfterOf(error) ?? 0, errorPause.longestMs);
	return { step: 'retry', pauseMs: backoffDelay(failures.inRow, errorPause, leastMs) };
}

function isPassing(error: unknown): boolean {
	if (error instanceof TransferError) return error.isTransient;
	return error instanceof UnknownUploadError || isTransient(error) || hasStatus(error, PASSING_STATUS);
}

function isRejected(error: unknown): boolean {
	return hasStatus(error, REJECTED_STATUS);
}
