import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { cancelSignal } from '../transport/request';
import { decide, isUnreachable, RetryBudget, type Decision } from './retry';
import type { UploadSlot } from './slot';
import { unwrapResponseError } from './tus/responseError';
import type { UploadJob, UploadState } from './uploadJob';
import type { UploadLog } from './uploadLog';

/** How an upload continues after an error: once more, after a wait for the slot, with another upload, or not at all. */
export type Continuation = 'again' | 'waited' | 'unknown' | 'fail';

/** Decides what one upload does after an error, and waits as long as that takes. */
export class UploadRecovery {
	/** Whether the service accepted a PATCH with the last byte, and has not reported a lower offset since. */
	isLastByteAccepted = false;

	private readonly budget: RetryBudget;

	/** @param isReachable whether the service is known to be reachable at this address */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly upload: {
			job: Pick<UploadJob, 'maxWaitMs'>;
			state: UploadState;
			slot: UploadSlot;
			log: UploadLog;
		},
		public isReachable: boolean,
	) {
		this.budget = new RetryBudget(upload.job.maxWaitMs);
	}

	/** The service reports its offset. */
	acknowledged(isComplete: boolean): void {
		this.budget.unknownTries = 0;
		if (!isComplete) this.isLastByteAccepted = false;
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
		const { budget, isLastByteAccepted, isReachable } = this;
		const { state } = this.upload;
		cancelSignal(this.context)?.throwIfAborted();
		budget.countError(error, state.offset);
		const isCreated = state.uploadId !== undefined;
		const { rejections } = budget;
		const decision = decide(error, { rejections, isCreated, isReachable, isLastByteAccepted });
		if (decision.kind === 'waitForSlot') {
			return (await this.waitForSlot(decision.retryAfterMs)) ? 'waited' : 'fail';
		}
		if (await this.pauseFor(decision, error)) {
			const isLost = decision.kind === 'retry' && !isCreated && !isUnreachable(unwrapResponseError(error));
			state.isCreateLost ||= isLost;
			return 'again';
		}
		const isUnknown = decision.kind === 'retryUnknown' && budget.unknownTries >= retryPolicy.unknownTries;
		return isUnknown ? 'unknown' : 'fail';
	}

	/** @returns false when another try is of no use */
	private async pauseFor(decision: Decision, error: unknown): Promise<boolean> {
		const { budget } = this;
		const { errorPause, unknownTries, unreachablePause, unreachableTries } = retryPolicy;
		switch (decision.kind) {
			case 'retry':
				// Max Wait limits this wait too.
				return (
					budget.allows() &&
					(await this.pauseAfter(error, errorPause, budget.grantWait(decision.retryAfterMs)))
				);
			case 'retryBriefly':
				return budget.allows(unreachableTries) && (await this.pauseAfter(error, unreachablePause));
			case 'retryUnknown':
				return (
					++budget.unknownTries < unknownTries &&
					budget.allows() &&
					(await this.pauseAfter(error, errorPause))
				);
			default:
				return false;
		}
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

	private async pauseAfter(
		error: unknown,
		{ firstMs, longestMs }: { firstMs: number; longestMs: number },
		leastMs = 0,
	): Promise<true> {
		const pauseMs = Math.max(backoffDelay(this.budget.tries, firstMs, longestMs), leastMs);
		this.upload.log.write(
			`was interrupted and resumes in ${(pauseMs / 1000).toFixed(1)} s: ${errorMessage(error)}`,
		);
		await pause(pauseMs, cancelSignal(this.context));
		return true;
	}
}
