import { NodeApiError } from 'n8n-workflow';

import { isTransient, isWebPage, serviceMessage } from '../../service/errors';
import { TransferError } from './transferError';
import { UploadResponseError } from './uploadResponseError';

/** What to do about a fault of an upload. Pauses are in milliseconds. */
export type Decision =
	| { kind: 'tryAgain'; retryAfterMs: number }
	/** No connection to the service: worth a few quick tries, unless the service has responded before. */
	| { kind: 'tryBriefly' }
	/** Another upload of the application is active. */
	| { kind: 'waitForSlot'; retryAfterMs: number }
	/** The service reports the upload as unknown, for now or for good. */
	| { kind: 'askAgain' }
	| { kind: 'giveUp' };

export interface Situation {
	/** Tries since the highest offset last rose, this one included. */
	tries: number;
	/** Whether the upload exists, so that the failed request was a PATCH or a HEAD. */
	isCreated: boolean;
	/** Whether the service is known to be reachable at this address. */
	isReachable: boolean;
	/** Whether the service accepted a PATCH that carried the last byte. */
	isLastByteAccepted: boolean;
}

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const TRANSIENT_STATUSES = ['408', '409', '423', '425'];

/** Network codes of faults before any request was sent: host, port, TLS or certificate. */
const UNREACHABLE =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_(SSL|TLS)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

/** @param fault thrown by the HTTP stack or the source */
export function decide(fault: unknown, situation: Situation): Decision {
	const { tries, isCreated, isReachable } = situation;
	if (fault instanceof TransferError) {
		return fault.isTransient ? { kind: 'tryAgain', retryAfterMs: fault.retryAfterMs } : { kind: 'giveUp' };
	}
	const error = nodeErrorOf(fault);
	if (!(error instanceof NodeApiError)) return { kind: 'giveUp' };

	const status = error.httpCode ?? '';
	const retryAfterMs =
		error.failure && 'retryAfterMs' in error.failure ? (error.failure.retryAfterMs ?? 0) : 0;
	if (status === '429') return { kind: 'waitForSlot', retryAfterMs };
	if (isCreated && (status === '404' || status === '410')) return decideUnknown(fault, situation);
	if (!isReachable && isUnreachable(error)) return { kind: 'tryBriefly' };
	if (isTransient(error) || TRANSIENT_STATUSES.includes(status)) return { kind: 'tryAgain', retryAfterMs };
	// A streamed PATCH cannot be repeated with a renewed token; the HEAD of the next try renews it. When that one is
	// rejected too, an expired token is not the cause.
	if (isCreated && tries === 1 && (status === '401' || status === '403'))
		return { kind: 'tryAgain', retryAfterMs: 0 };
	return { kind: 'giveUp' };
}

/** A 404 or 410 may be about the folder, may come from a gateway, or is what it says. */
function decideUnknown(fault: unknown, { isLastByteAccepted }: Situation): Decision {
	if (!(fault instanceof UploadResponseError)) return { kind: 'askAgain' };
	const { method, response } = fault;
	const isHtml = /^text\/html\b/i.test(response.headers['content-type'] ?? '');
	if (isWebPage(response.body) || isHtml) return { kind: 'tryAgain', retryAfterMs: 0 };
	const isAboutFolder =
		!isLastByteAccepted && method !== 'HEAD' && /\b(folder|gallery)\b/i.test(serviceMessage(response));
	return { kind: isAboutFolder ? 'giveUp' : 'askAgain' };
}

/** Whether a request certainly never reached the service, so that it did nothing there. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof NodeApiError && UNREACHABLE.test(error.httpCode ?? '');
}

/** The error that a user reads about a fault. */
export function nodeErrorOf(fault: unknown): unknown {
	return fault instanceof UploadResponseError ? fault.error : fault;
}

/** What a fault reports, as a text. */
export function messageOf(fault: unknown): string {
	const error = nodeErrorOf(fault);
	return error instanceof Error ? error.message : String(error);
}
