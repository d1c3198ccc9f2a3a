import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { TransferError } from '../sources/transferErrors';
import { isWebPage, serviceMessage } from '../transport/errorResponse';
import { hasStatus, isTransient, mayBeCarriedOut, retryAfterOf } from '../transport/errors';
import { UNREACHABLE } from '../transport/networkErrors';
import { cancelSignal } from '../transport/request';
import type { UploadSlot } from './slot';
import { unwrapResponseError, UploadResponseError } from './tus/uploadRequests';
import type { UploadJob, UploadState } from './uploadJob';
import type { UploadLog } from './uploadLog';

/** What an error of an upload means for it. */
type Verdict =
	| 'retry'
	/** No request has reached the service yet: worth a few quick tries. */
	| 'unreachable'
	/** The service reports the upload as unknown, for now or for good. */
	| 'unknown'
	| 'fail';

/** Timeout of the request, conflict with an offset or a lock that is about to change, too early. */
const TRANSIENT_STATUS = /^(408|409|423|425)$/;

/** The service rejected the token. */
const REJECTION = /^(401|403)$/;

/** A 404 or 410 may be about the upload or about the folder, or may come from a gateway. */
function verdictOnUnknown(error: unknown): Verdict {
	if (!(error instanceof UploadResponseError)) return 'unknown';
	const { method, response } = error;
	const isHtml = /^text\/html\b/i.test(response.headers['content-type'] ?? '');
	if (isWebPage(response.body) || isHtml) return 'retry';
	const isAboutFolder = method !== 'HEAD' && /\b(folder|gallery)\b/i.test(serviceMessage(response));
	return isAboutFolder ? 'fail' : 'unknown';
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

/**
 * Waits after an error of an upload as long as that takes. Only an offset that the service never reported before is progress: an
 * offset that moves back and forth would otherwise be retried forever.
 */
export class UploadRecovery {
	/** Errors since the highest offset last rose, and how many of them rejected the token. */
	private errors = 0;

	private rejections = 0;

	private totalErrors = 0;

	private highestOffset = 0;

	/** Time that was waited for Retry-After headers, in milliseconds. */
	private waitedOnRequestMs = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly upload: Waiting,
	) {}

	/** Another upload takes the place of this one, and begins at byte 0. */
	startOver(): void {
		this.errors = this.rejections = this.highestOffset = 0;
	}

	/**
	 * Waits before the next attempt.
	 *
	 * @param error thrown by the HTTP stack or the source
	 * @returns `unknown` when the service has reported the upload as unknown often enough
	 */
	async recover(error: unknown): Promise<Continuation> {
		const { job, log, state } = this.upload;
		const signal = cancelSignal(this.context);
		signal?.throwIfAborted();
		const reason = unwrapResponseError(error);
		const retryAfterMs = (error instanceof TransferError ? error.retryAfterMs : retryAfterOf(reason)) ?? 0;
		if (hasStatus(reason, /^429$/)) return await this.waitForSlot(retryAfterMs);
		this.count(reason);
		const verdict = this.verdictOn(error);
		if (verdict === 'fail') return 'fail';
		// A fault of the source, and a failed sign-in, come before the upload is created.
		state.isCreateLost ||= state.uploadId === undefined && mayBeCarriedOut(reason);
		if (verdict === 'unknown' && ++state.unknownTries >= retryPolicy.unknownTries) return 'unknown';
		const [tries, pauses] =
			verdict === 'unreachable'
				? [retryPolicy.unreachableTries, retryPolicy.unreachablePause]
				: [retryPolicy.tries, retryPolicy.errorPause];
		if (this.errors >= tries || this.totalErrors >= retryPolicy.totalTries) return 'fail';
		// Max Wait limits the waits for Retry-After in total: a service may send one of hours, and again after each try.
		const leastMs = Math.min(retryAfterMs, job.maxWaitMs - this.waitedOnRequestMs);
		this.waitedOnRequestMs += leastMs;
		const pauseMs = backoffDelay(this.errors, pauses, leastMs);
		const seconds = (pauseMs / 1000).toFixed(1);
		log.write(`was interrupted and resumes in ${seconds} s: ${errorMessage(error)}`);
		await pause(pauseMs, signal);
		return 'again';
	}

	private count(reason: unknown): void {
		const { offset } = this.upload.state;
		if (offset > this.highestOffset) this.errors = this.rejections = 0;
		this.highestOffset = Math.max(this.highestOffset, offset);
		this.totalErrors++;
		this.errors++;
		if (hasStatus(reason, REJECTION)) this.rejections++;
	}

	private verdictOn(error: unknown): Verdict {
		if (error instanceof TransferError) return error.isTransient ? 'retry' : 'fail';
		const { isReachable, uploadId } = this.upload.state;
		const reason = unwrapResponseError(error);
		const isCreated = uploadId !== undefined;
		if (isCreated && hasStatus(reason, /^(404|410)$/)) return verdictOnUnknown(error);
		if (!isReachable && hasStatus(reason, UNREACHABLE)) return 'unreachable';
		if (isTransient(reason) || hasStatus(reason, TRANSIENT_STATUS)) return 'retry';
		// A streamed PATCH cannot be repeated with a renewed token; the HEAD of the next try renews it. When the new one is
		// rejected too, an expired token is not the cause.
		return isCreated && hasStatus(reason, REJECTION) && this.rejections <= 1 ? 'retry' : 'fail';
	}

	private async waitForSlot(retryAfterMs: number): Promise<'waited' | 'fail'> {
		const { log, slot, state } = this.upload;
		// The upload whose response was lost may hold the slot: nobody can finish it.
		if (state.isCreateLost && state.uploadId === undefined) return 'fail';
		if (slot.isFirstTry) log.write('waits for the upload slot of the application');
		const wait = await slot.waitForService(state.uploadId, retryAfterMs);
		if (wait === 'waited') return wait;
		state.slotHolder = wait;
		return 'fail';
	}
}
