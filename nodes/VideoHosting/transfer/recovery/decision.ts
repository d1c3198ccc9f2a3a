import { NodeApiError } from 'n8n-workflow';

import { isTransient } from '../../service/errors';
import { TransferError } from './transferError';

/** What to do about a fault in mid-upload. Pauses are in milliseconds. */
export type Decision =
	| { kind: 'tryAgain'; retryAfterMs: number }
	/** Another upload of the application is active (Errors, 429). */
	| { kind: 'waitForSlot'; retryAfterMs: number }
	/** The service no longer knows the upload. */
	| { kind: 'startOver' }
	| { kind: 'giveUp' };

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const TRANSIENT_STATUSES = ['408', '409', '423', '425'];

/**
 * @param error thrown by the HTTP stack or the source
 * @param tries how often the upload was tried since the service's offset last moved, this time included
 */
export function decide(
	error: unknown,
	{ tries, isCreated }: { tries: number; isCreated: boolean },
): Decision {
	if (error instanceof TransferError) {
		return error.isTransient ? { kind: 'tryAgain', retryAfterMs: error.retryAfterMs } : { kind: 'giveUp' };
	}
	if (!(error instanceof NodeApiError)) return { kind: 'giveUp' };

	const status = error.httpCode ?? '';
	const retryAfterMs =
		error.failure && 'retryAfterMs' in error.failure ? (error.failure.retryAfterMs ?? 0) : 0;
	if (status === '429') return { kind: 'waitForSlot', retryAfterMs };
	if (isCreated && (status === '404' || status === '410')) return { kind: 'startOver' };
	if (isTransient(error) || TRANSIENT_STATUSES.includes(status)) return { kind: 'tryAgain', retryAfterMs };
	// A PATCH cannot be repeated with a renewed token (fact 5); the HEAD of the next try can. Refused twice, it is no
	// matter of an expired token.
	if (isCreated && tries === 1 && (status === '401' || status === '403'))
		return { kind: 'tryAgain', retryAfterMs: 0 };
	return { kind: 'giveUp' };
}
