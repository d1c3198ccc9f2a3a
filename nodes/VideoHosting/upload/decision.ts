import { NodeApiError } from 'n8n-workflow';

import { isWebPage, serviceMessage } from '../transport/errorResponse';
import { isTransient } from '../transport/errors';
import { TransferError } from '../sources/transferError';
import { UploadResponseError } from './uploadResponseError';

/** What to do about an error of an upload. Pauses are in milliseconds. */
export type Decision =
	| { kind: 'retry'; retryAfterMs: number }
	/** No connection to the service: worth a few quick tries, unless the service has responded before. */
	| { kind: 'retryBriefly' }
	/** Another upload of the application is active. */
	| { kind: 'waitForSlot'; retryAfterMs: number }
	/** The service reports the upload as unknown, for now or for good. */
	| { kind: 'retryUnknown' }
	| { kind: 'fail' };

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

/** Network codes of errors that occur before any request was sent: host, port, TLS or certificate. */
const UNREACHABLE =
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EPROTO|ERR_(SSL|TLS)_\w+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;

/** @param error thrown by the HTTP stack or the source */
export function decide(error: unknown, situation: Situation): Decision {
	const { tries, isCreated, isReachable } = situation;
	if (error instanceof TransferError) {
		return error.isTransient ? { kind: 'retry', retryAfterMs: error.retryAfterMs } : { kind: 'fail' };
	}
	const reason = unwrapResponseError(error);
	if (!(reason instanceof NodeApiError)) return { kind: 'fail' };

	const status = reason.httpCode ?? '';
	const retryAfterMs =
		reason.failure && 'retryAfterMs' in reason.failure ? (reason.failure.retryAfterMs ?? 0) : 0;
	if (status === '429') return { kind: 'waitForSlot', retryAfterMs };
	if (isCreated && (status === '404' || status === '410')) return decideUnknown(error, situation);
	if (!isReachable && isUnreachable(reason)) return { kind: 'retryBriefly' };
	if (isTransient(reason) || TRANSIENT_STATUSES.includes(status)) return { kind: 'retry', retryAfterMs };
	// A streamed PATCH cannot be repeated with a renewed token; the HEAD of the next try renews it. When that one is
	// rejected too, an expired token is not the cause.
	if (isCreated && tries === 1 && (status === '401' || status === '403'))
		return { kind: 'retry', retryAfterMs: 0 };
	return { kind: 'fail' };
}

/** A 404 or 410 may be about the upload or about the folder, or may come from a gateway. */
function decideUnknown(error: unknown, { isLastByteAccepted }: Situation): Decision {
	if (!(error instanceof UploadResponseError)) return { kind: 'retryUnknown' };
	const { method, response } = error;
	const isHtml = /^text\/html\b/i.test(response.headers['content-type'] ?? '');
	if (isWebPage(response.body) || isHtml) return { kind: 'retry', retryAfterMs: 0 };
	const isAboutFolder =
		!isLastByteAccepted && method !== 'HEAD' && /\b(folder|gallery)\b/i.test(serviceMessage(response));
	return { kind: isAboutFolder ? 'fail' : 'retryUnknown' };
}

/** Whether a request certainly never reached the service, so that it did nothing there. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof NodeApiError && UNREACHABLE.test(error.httpCode ?? '');
}

/** The error to show to the user: that of a response, and any other one as it is. */
export function unwrapResponseError(error: unknown): unknown {
	return error instanceof UploadResponseError ? error.error : error;
}
