import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { cancelSignal } from '../transport/request';
import { decide, isUnreachable, RetryBudget, type Situation } from './retry';
import type { UploadSlot } from './slot';
import { unwrapResponseError } from './tus/uploadRequests';
import type { UploadJob, UploadState } from './uploadJob';
import type { UploadLog } from './uploadLog';

/** How an upload continues after an error: once more, after a wait for the slot, with another upload, or not at all. */
export type Continuation = 'again' | 'waited' | 'unknown' | 'fail';

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
		state.isCreateLost ||= !isCreated && !isUnreachable(unwrapResponseError(error));
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
