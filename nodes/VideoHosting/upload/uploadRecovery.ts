import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { backoffDelay, pause } from '../shared/pause';
import { cancelSignal, requestOnce } from '../transport/request';
import { stateRequest, uploadOffsetOf, type UploadFile } from './tus/uploadRequests';
import type { UploadFigures, UploadJob } from './uploadJob';
import type { UploadLog } from './uploadLog';
import { ContentMismatchError } from '../sources/contentMismatchError';
import { decide, isUnreachable, unwrapResponseError, type Decision } from './decision';
import { RetryBudget } from './retryBudget';
import { retryPolicy } from '../shared/retryPolicy';
import { leaveUpload } from './slotHolder';
import type { UploadIdentity } from './uploadIdentity';
import type { UploadSlot } from './uploadSlot';

/** How an upload continues after an error. */
export type Continuation = 'sameTransfer' | 'newTransfer' | 'complete';

/** The upload that recovers, which updates the figures. */
export interface RecoveringUpload {
	context: IExecuteFunctions;
	job: UploadJob;
	file: UploadFile;
	figures: UploadFigures;
	slot: UploadSlot;
	identity: UploadIdentity;
	log: UploadLog;
}

/** Decides what one upload does after an error: how long it waits, and whether it resumes, starts over or fails. */
export class UploadRecovery {
	private readonly budget: RetryBudget;

	/** What `bytesSent` was when the service last reported its offset. */
	private sentAtOffset = 0;

	/** Whether the service accepted a PATCH with the last byte, and has not reported a lower offset since. */
	private isLastByteAccepted = false;

	private hasStartedOver = false;

	/** Whether the user named an upload that was started with another file. */
	isOfOtherFile = false;

	/** @param isReachable whether the service has accepted anything of this upload in an earlier run */
	constructor(
		private readonly upload: RecoveringUpload,
		private isReachable: boolean,
	) {
		this.budget = new RetryBudget(upload.job.maxWaitMs);
	}

	/** The service has created the upload, or reports that it knows it. */
	onUploadKnown(): void {
		this.isReachable = true;
	}

	/** The service reports its offset. */
	onOffset(offset: number): void {
		this.sentAtOffset = this.upload.figures.bytesSent;
		this.budget.unknownTries = 0;
		if (offset < this.upload.file.size) this.isLastByteAccepted = false;
	}

	/** The service accepted a PATCH that carried the last byte. */
	onLastByteAccepted(): void {
		this.isLastByteAccepted = true;
	}

	/**
	 * Waits before the next attempt.
	 *
	 * @throws the error when it cannot be retried
	 */
	async recover(error: unknown): Promise<Continuation> {
		const { budget, isReachable, isLastByteAccepted } = this;
		const { context, figures, log } = this.upload;
		cancelSignal(context)?.throwIfAborted();
		if (error instanceof ContentMismatchError && figures.uploadId !== undefined) {
			return this.abandon(figures.uploadId, error);
		}
		budget.countError(figures.offset);
		const isCreated = figures.uploadId !== undefined;
		const decision = decide(error, { tries: budget.tries, isCreated, isReachable, isLastByteAccepted });
		if (await this.pauseFor(decision, error)) {
			const isLost = decision.kind === 'retry' && !isCreated && !isUnreachable(unwrapResponseError(error));
			figures.isCreateLost ||= isLost;
			return 'sameTransfer';
		}
		if (decision.kind === 'retryUnknown' && budget.unknownTries >= retryPolicy.unknownTries) {
			if (isLastByteAccepted) return 'complete';
			if (this.startOver()) return 'newTransfer';
			figures.isUnknown = true;
		}
		if (figures.forgotten && figures.slotHolder?.uploadId === figures.forgotten.uploadId) {
			log.write('is known to the service again, so it is resumed');
			Object.assign(figures, { ...figures.forgotten, forgotten: undefined, slotHolder: undefined });
			return 'newTransfer';
		}
		await this.refreshOffset();
		throw error;
	}

	/** The file does not belong to the upload. */
	private abandon(uploadId: string, mismatch: ContentMismatchError): Continuation {
		const { figures, identity, job, log } = this.upload;
		log.write(`is not continued: ${mismatch.reason}`);
		figures.isSpoiled = mismatch.isSpoiled;
		this.isOfOtherFile = job.uploadId !== undefined && !mismatch.isSpoiled;
		figures.uploadId = identity.reject(uploadId, mismatch);
		figures.isSpoiled = false;
		figures.abandoned.push({ uploadId, reason: mismatch.reason });
		figures.offset = 0;
		this.budget.startOver();
		return 'newTransfer';
	}

	/** @returns false when another try is of no use */
	private async pauseFor(decision: Decision, error: unknown): Promise<boolean> {
		const { budget } = this;
		const { errorPause, unknownTries, unreachablePause, unreachableTries } = retryPolicy;
		switch (decision.kind) {
			case 'waitForSlot':
				return await this.waitForSlot(decision.retryAfterMs);
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
			case 'fail':
				return false;
		}
	}

	private async waitForSlot(retryAfterMs: number): Promise<boolean> {
		const { figures, log, slot } = this.upload;
		this.budget.uncountError();
		// The upload whose response was lost may hold the slot: nobody can finish it.
		if (figures.isCreateLost && figures.uploadId === undefined) return false;
		if (slot.isFirstTry) log.write('waits for the upload slot of the application');
		const wait = await slot.waitForService(figures.uploadId, retryAfterMs);
		if (wait.kind === 'held') figures.slotHolder = wait.holder;
		return wait.kind === 'retry';
	}

	private async pauseAfter(
		error: unknown,
		{ firstMs, longestMs }: { firstMs: number; longestMs: number },
		leastMs = 0,
	): Promise<true> {
		const { context, log } = this.upload;
		const pauseMs = Math.max(backoffDelay(this.budget.tries, firstMs, longestMs), leastMs);
		log.write(`was interrupted and resumes in ${(pauseMs / 1000).toFixed(1)} s: ${errorMessage(error)}`);
		await pause(pauseMs, cancelSignal(context));
		return true;
	}

	/** Once, and never in place of an upload that the user named. */
	private startOver(): boolean {
		const { figures, file, identity, job, log, slot } = this.upload;
		const { uploadId, offset } = figures;
		if (uploadId === undefined || job.uploadId !== undefined || this.hasStartedOver) return false;
		log.write('is unknown to the service, so it starts over');
		this.hasStartedOver = true;
		leaveUpload(slot.application, { ...file, uploadId, isSpoiled: false });
		identity.setAside(uploadId);
		figures.forgotten = { uploadId, offset };
		figures.uploadId = undefined;
		figures.offset = 0;
		this.budget.startOver();
		return true;
	}

	/** The service may have stored more than its last response reported. */
	private async refreshOffset(): Promise<void> {
		const { context, figures, job } = this.upload;
		if (figures.uploadId === undefined || figures.bytesSent === this.sentAtOffset) return;
		const request = { ...stateRequest(figures.uploadId, job.itemIndex), timeout: job.idleTimeoutMs };
		const response = await requestOnce(context, request).catch(() => undefined);
		figures.offset = (response && uploadOffsetOf(response)) ?? figures.offset;
	}
}
