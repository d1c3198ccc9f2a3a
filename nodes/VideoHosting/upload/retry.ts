import { NodeApiError, type IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { TransferError } from '../sources/transferErrors';
import { isWebPage, serviceMessage } from '../transport/errorResponse';
import { isTransient } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { UploadSlot } from './slot';
import { unwrapResponseError, UploadResponseError } from './tus/uploadRequests';
import type { UploadJob, UploadState } from './uploadJob';
import type { UploadLog } from './uploadLog';

/** What to do about an error of an upload. */
type Decision =
	| { kind: 'retry'; tries: number; pause: { firstMs: number; longestMs: number }; retryAfterMs: number }
	/** The service reports the upload as unknown, for now or for good. */
	| { kind: 'retryUnknown' }
	/** Another upload of the application is active. */
	| { kind: 'waitForSlot'; retryAfterMs: number }
	| { kind: 'fail' };

/** What is known of an upload when a request fails. */
interface Situation {
	/** How often the token was rejected since the highest offset last rose, this time included. */
	rejections: number;
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
function decide(error: unknown, situation: Situation): Decision {
	const { isCreated, isReachable, rejections } = situation;
	if (error instanceof TransferError) {
		return error.isTransient ? retryAfter(error.retryAfterMs) : { kind: 'fail' };
	}
	const reason = unwrapResponseError(error);
	if (!(reason instanceof NodeApiError)) return { kind: 'fail' };

	const status = reason.httpCode ?? '';
	const retryAfterMs =
		reason.failure && 'retryAfterMs' in reason.failure ? (reason.failure.retryAfterMs ?? 0) : 0;
	if (status === '429') return { kind: 'waitForSlot', retryAfterMs };
	if (isCreated && (status === '404' || status === '410')) return decideUnknown(error, situation);
	if (!isReachable && isUnreachable(reason)) {
		// No connection to the service: worth a few quick tries, unless the service has responded before.
		const { unreachablePause: pause, unreachableTries: tries } = retryPolicy;
		return { kind: 'retry', tries, pause, retryAfterMs: 0 };
	}
	if (isTransient(reason) || TRANSIENT_STATUSES.includes(status)) return retryAfter(retryAfterMs);
	// A streamed PATCH cannot be repeated with a renewed token; the HEAD of the next try renews it. When the new one is
	// rejected too, an expired token is not the cause.
	return isCreated && isRejection(reason) && rejections <= 1 ? retryAfter(0) : { kind: 'fail' };
}

function retryAfter(retryAfterMs: number): Decision {
	return { kind: 'retry', tries: retryPolicy.tries, pause: retryPolicy.errorPause, retryAfterMs };
}

/** A 404 or 410 may be about the upload or about the folder, or may come from a gateway. */
function decideUnknown(error: unknown, { isLastByteAccepted }: Situation): Decision {
	if (!(error instanceof UploadResponseError)) return { kind: 'retryUnknown' };
	const { method, response } = error;
	const isHtml = /^text\/html\b/i.test(response.headers['content-type'] ?? '');
	if (isWebPage(response.body) || isHtml) return retryAfter(0);
	const isAboutFolder =
		!isLastByteAccepted && method !== 'HEAD' && /\b(folder|gallery)\b/i.test(serviceMessage(response));
	return { kind: isAboutFolder ? 'fail' : 'retryUnknown' };
}

/** Whether the service rejected the token. */
function isRejection(error: unknown): boolean {
	return error instanceof NodeApiError && ['401', '403'].includes(error.httpCode ?? '');
}

/** Whether a request certainly never reached the service, so that it did nothing there. */
export function isUnreachable(error: unknown): boolean {
	return error instanceof NodeApiError && UNREACHABLE.test(error.httpCode ?? '');
}

/**
 * Counts the tries of one upload. Only an offset that the service never reported before is progress: an offset that moves
 * back and forth would otherwise be retried forever.
 */
export class RetryBudget {
	/** Tries since the highest offset last rose, the present one included. */
	tries = 0;

	/** How often the token was rejected since the highest offset last rose. */
	rejections = 0;

	private totalTries = 0;

	private highestOffset = 0;

	private waitedOnRequestMs = 0;

	/** @param maxWaitMs longest wait in total for Retry-After headers, in milliseconds */
	constructor(private readonly maxWaitMs: number) {}

	/** @param offset that the service last reported, in bytes */
	countError(error: unknown, offset: number): void {
		this.totalTries++;
		if (offset > this.highestOffset) this.tries = this.rejections = 0;
		this.tries++;
		if (isRejection(unwrapResponseError(error))) this.rejections++;
		this.highestOffset = Math.max(this.highestOffset, offset);
	}

	/** A wait for the upload slot is bounded by Max Wait instead. */
	uncountError(): void {
		this.totalTries--;
		this.tries--;
	}

	/** @param most tries without progress */
	allows(most = retryPolicy.tries): boolean {
		return this.tries < most && this.totalTries < retryPolicy.totalTries;
	}

	/**
	 * How much of a Retry-After to wait. A service may send one of hours, and again after each try.
	 *
	 * @param retryAfterMs the header's value in milliseconds
	 * @returns milliseconds, which count as waited
	 */
	grantWait(retryAfterMs: number): number {
		const granted = Math.min(retryAfterMs, this.maxWaitMs - this.waitedOnRequestMs);
		this.waitedOnRequestMs += granted;
		return granted;
	}

	/** A new upload begins at byte 0. */
	startOver(): void {
		this.tries = this.rejections = this.highestOffset = 0;
	}
}

/** How an upload continues after an error: once more, after a wait for the slot, with another upload, or not at all. */
type Continuation = 'again' | 'waited' | 'unknown' | 'fail';

/** What an upload is waited with. */
interface Waiting {
	job: Pick<UploadJob, 'maxWaitMs'>;
	state: UploadState;
	slot: UploadSlot;
	log: UploadLog;
}

/** What is known of the upload; `unknownTries`: times in a row that the service reported it as unknown. */
type Facts = Pick<Situation, 'isReachable' | 'isLastByteAccepted'> & { unknownTries: number };

/** Waits after an error of an upload as long as that takes. */
export class UploadRecovery {
	private readonly budget: RetryBudget;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly upload: Waiting,
		private readonly facts: Facts,
	) {
		this.budget = new RetryBudget(upload.job.maxWaitMs);
	}

	/** Another upload takes the place of this one. */
	startOver(): void {
		this.budget.startOver();
	}

	/**
	 * Waits before the next attempt.
	 *
	 * @returns `unknown` when the service has reported the upload as unknown often enough
	 */
	async recover(error: unknown): Promise<Continuation> {
		const { budget, context, facts } = this;
		const { log, state } = this.upload;
		const signal = cancelSignal(context);
		signal?.throwIfAborted();
		budget.countError(error, state.offset);
		const isCreated = state.uploadId !== undefined;
		const decision = decide(error, { ...facts, rejections: budget.rejections, isCreated });
		if (decision.kind === 'fail') return 'fail';
		if (decision.kind === 'waitForSlot') {
			return (await this.waitForSlot(decision.retryAfterMs)) ? 'waited' : 'fail';
		}
		if (decision.kind === 'retryUnknown' && ++facts.unknownTries >= retryPolicy.unknownTries)
			return 'unknown';
		const { errorPause, tries } = retryPolicy;
		const limits = decision.kind === 'retry' ? decision : { tries, pause: errorPause, retryAfterMs: 0 };
		if (!budget.allows(limits.tries)) return 'fail';
		const { firstMs, longestMs } = limits.pause;
		// Max Wait limits the wait for a Retry-After, too.
		const leastMs = budget.grantWait(limits.retryAfterMs);
		const pauseMs = Math.max(backoffDelay(budget.tries, firstMs, longestMs), leastMs);
		const seconds = (pauseMs / 1000).toFixed(1);
		log.write(`was interrupted and resumes in ${seconds} s: ${errorMessage(error)}`);
		await pause(pauseMs, signal);
		// A fault of the source comes before the upload is created.
		state.isCreateLost ||=
			!isCreated && !(error instanceof TransferError) && !isUnreachable(unwrapResponseError(error));
		return 'again';
	}

	private async waitForSlot(retryAfterMs: number): Promise<boolean> {
		const { log, slot, state } = this.upload;
		this.budget.uncountError();
		// The upload whose response was lost may hold the slot: nobody can finish it.
		if (state.isCreateLost && state.uploadId === undefined) return false;
		if (slot.isFirstTry) log.write('waits for the upload slot of the application');
		const wait = await slot.waitForService(state.uploadId, retryAfterMs);
		if (wait.kind === 'held') state.slotHolder = wait.holder;
		return wait.kind === 'retry';
	}
}
