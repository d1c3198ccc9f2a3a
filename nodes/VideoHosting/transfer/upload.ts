import type { IExecuteFunctions } from 'n8n-workflow';

import { growingPause, pause } from '../service/pause';
import { requestOnce, cancelSignal } from '../service/request';
import { ContentMismatchError } from './recovery/contentMismatchError';
import { decide, isUnreachable, nodeErrorOf, type Decision } from './recovery/decision';
import { RetryBudget } from './recovery/retryBudget';
import { retryPolicy } from './recovery/retryPolicy';
import { forgetLeftUpload, leaveUpload } from './recovery/slotHolder';
import { UploadIdentity } from './recovery/uploadIdentity';
import { UploadInterruptedError } from './recovery/uploadInterruptedError';
import { UploadSlot } from './recovery/uploadSlot';
import { WrongSizeError } from './recovery/wrongSizeError';
import { RangeReader } from './source/rangeReader';
import { createTusUpload, type TusTransfer } from './tus/tusUpload';
import {
	fileMismatchError,
	otherSizeReason,
	stateRequest,
	uploadOffsetOf,
	type UploadFile,
} from './tus/uploadRequests';
import type { UploadFigures, UploadJob } from './uploadJob';

/** How an upload continues after a fault. */
type Continuation = 'sameTransfer' | 'newTransfer' | 'complete';

/**
 * Uploads a file, whatever happens on the way: after any interruption it requests the service's offset and resumes there,
 * so nothing that was acknowledged is sent twice.
 *
 * @throws UploadInterruptedError with the reason and the figures
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadFigures> {
	const upload = new Upload(context, job);
	try {
		await upload.run();
		return upload.figures;
	} catch (error) {
		upload.leave(error);
		throw interruptedError(error, upload);
	}
}

function interruptedError(error: unknown, { figures, signal }: Upload): UploadInterruptedError {
	return new UploadInterruptedError(nodeErrorOf(error), figures, signal?.aborted === true);
}

class Upload {
	readonly figures: UploadFigures;

	readonly signal: AbortSignal | undefined;

	private identity: UploadIdentity | undefined;

	private readonly reader: RangeReader;

	private readonly file: UploadFile;

	private readonly budget: RetryBudget;

	private slot: UploadSlot | undefined;

	/** What `bytesSent` was when the service last reported its offset. */
	private sentAtOffset = 0;

	/** Whether the service has accepted anything of this upload, now or in an earlier run. */
	private isReachable = false;

	/** Whether the service accepted a PATCH with the last byte, and has not reported a lower offset since. */
	private isLastByteAccepted = false;

	private hasStartedOver = false;

	/** Whether the user named an upload that was started with another file. */
	private isOfOtherFile = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
	) {
		const { source, fileName, folder, uploadId } = job;
		this.file = { fileName, folder, size: source.size };
		this.reader = new RangeReader(source);
		this.budget = new RetryBudget(job.maxWaitMs);
		this.signal = cancelSignal(context);
		this.figures = {
			uploadId,
			offset: 0,
			bytesSent: 0,
			resumes: 0,
			waitedMs: 0,
			forgotten: undefined,
			abandoned: [],
			isSpoiled: false,
			isUnknown: false,
			isCreateLost: false,
			slotHolder: undefined,
		};
	}

	async run(): Promise<void> {
		const { context, file, job, reader } = this;
		this.signal?.throwIfAborted();
		this.identity = await UploadIdentity.open(context, job, file, reader);
		this.checkSize(this.identity);
		this.slot = await UploadSlot.acquire(context, job);
		try {
			await this.transfer(this.slot, this.identity);
			forgetLeftUpload(this.slot.application, this.figures.uploadId);
			forgetLeftUpload(this.slot.application, this.figures.forgotten?.uploadId);
		} finally {
			this.reader.close();
			this.slot.release();
			this.figures.waitedMs = this.slot.waitedMs;
		}
	}

	/** Records the upload that ends unfinished, so that it can be resumed, and named where it holds the slot. */
	leave(error: unknown): void {
		const { figures, file, identity, slot } = this;
		const { forgotten } = figures;
		// Without a new upload, the one that the service reported as unknown is all there is to resume.
		if (forgotten && figures.uploadId === undefined) Object.assign(figures, forgotten);
		if (figures.uploadId === undefined) return;
		figures.isSpoiled ||= error instanceof WrongSizeError;
		if (error instanceof WrongSizeError) identity?.forget(figures.uploadId);
		else identity?.leave(figures.uploadId);
		if (slot && !figures.isUnknown && !this.isOfOtherFile) {
			const { uploadId, isSpoiled } = figures;
			leaveUpload(slot.application, { ...file, uploadId, isSpoiled });
		}
	}

	/** The service need not report what size an upload was created with; the workflow may remember it. */
	private checkSize(identity: UploadIdentity): void {
		const { context, job, file } = this;
		if (job.uploadId === undefined) return;
		const size = identity.sizeOf(job.uploadId);
		this.isReachable = size !== undefined;
		if (size === undefined || size === file.size) return;
		const reason = otherSizeReason(`is for a file of ${size} bytes`, file.size);
		throw fileMismatchError(context, job.uploadId, reason, job.itemIndex);
	}

	private async transfer(slot: UploadSlot, identity: UploadIdentity): Promise<void> {
		this.figures.uploadId = identity.candidate();
		if (this.job.uploadId === undefined) this.isReachable = this.figures.uploadId !== undefined;
		let tus = await this.createTransfer(identity);
		for (;;) {
			const fault = await this.attempt(tus);
			const next = fault === undefined ? 'complete' : await this.recover(fault.reason, slot, identity);
			if (next === 'complete') {
				this.figures.offset = this.file.size;
				this.log('is complete');
				if (this.figures.uploadId !== undefined) identity.forget(this.figures.uploadId);
				return;
			}
			if (next === 'newTransfer') tus = await this.createTransfer(identity);
		}
	}

	private async createTransfer(identity: UploadIdentity): Promise<TusTransfer> {
		const { figures, job, context, file } = this;
		this.log(figures.uploadId === undefined ? 'starts' : 'is resumed');
		return await createTusUpload(
			this.reader,
			{
				context,
				itemIndex: job.itemIndex,
				file,
				idleTimeoutMs: job.idleTimeoutMs,
				maxRequestBytes: job.maxRequestBytes,
				onUploadKnown: (uploadId) => {
					if (figures.uploadId !== undefined && figures.offset + figures.bytesSent > 0) figures.resumes++;
					figures.uploadId = uploadId;
					figures.isCreateLost = false;
					this.isReachable = true;
					identity.setKnown(uploadId);
					// The old upload stays remembered until the new one takes its place.
					if (figures.forgotten) identity.forget(figures.forgotten.uploadId);
				},
				beforeResume: async (id, offset) => {
					await identity.check(id, offset);
				},
				onOffset: (offset) => {
					figures.offset = offset;
					this.sentAtOffset = figures.bytesSent;
					this.budget.unknownTries = 0;
					if (offset < file.size) this.isLastByteAccepted = false;
				},
				onLastByteAccepted: () => (this.isLastByteAccepted = true),
				onSent: (bytes) => (figures.bytesSent += bytes),
				onProgress: job.onProgress,
			},
			figures.uploadId,
		);
	}

	/** @returns the fault that ended the attempt; undefined when the upload is complete */
	private async attempt(tus: TusTransfer): Promise<{ reason: unknown } | undefined> {
		try {
			await tus.run();
			return undefined;
		} catch (error) {
			this.reader.close();
			return { reason: error };
		}
	}

	/**
	 * Waits as long as the fault requires.
	 *
	 * @throws the fault when nothing more can be done
	 */
	private async recover(fault: unknown, slot: UploadSlot, identity: UploadIdentity): Promise<Continuation> {
		const { budget, figures } = this;
		this.signal?.throwIfAborted();
		if (fault instanceof ContentMismatchError && figures.uploadId !== undefined) {
			const { uploadId } = figures;
			this.log(`is not continued: ${fault.reason}`);
			figures.isSpoiled = fault.isSpoiled;
			this.isOfOtherFile = this.job.uploadId !== undefined && !fault.isSpoiled;
			figures.uploadId = identity.reject(uploadId, fault);
			figures.isSpoiled = false;
			figures.abandoned.push({ uploadId, reason: fault.reason });
			figures.offset = 0;
			budget.startOver();
			return 'newTransfer';
		}
		budget.countFault(figures.offset);
		const isCreated = figures.uploadId !== undefined;
		const { isReachable, isLastByteAccepted } = this;
		const decision = decide(fault, { tries: budget.tries, isCreated, isReachable, isLastByteAccepted });
		if (await this.pauseFor(decision, fault, slot)) {
			const isLost = decision.kind === 'tryAgain' && !isCreated && !isUnreachable(nodeErrorOf(fault));
			figures.isCreateLost ||= isLost;
			return 'sameTransfer';
		}
		if (decision.kind === 'askAgain' && budget.unknownTries >= retryPolicy.unknownTries) {
			if (isLastByteAccepted) return 'complete';
			if (this.startOver(slot, identity)) return 'newTransfer';
			figures.isUnknown = true;
		}
		if (figures.forgotten && figures.slotHolder?.uploadId === figures.forgotten.uploadId) {
			this.log('is known to the service again, so it is resumed');
			Object.assign(figures, { ...figures.forgotten, forgotten: undefined, slotHolder: undefined });
			return 'newTransfer';
		}
		await this.refreshOffset();
		throw fault;
	}

	/** @returns false when another try is of no use */
	private async pauseFor(decision: Decision, fault: unknown, slot: UploadSlot): Promise<boolean> {
		const { budget, figures } = this;
		const { faultPause, unknownTries, unreachablePause, unreachableTries } = retryPolicy;
		switch (decision.kind) {
			case 'waitForSlot': {
				budget.uncountFault();
				// The upload of the lost response may be what holds the slot: nobody can finish it.
				if (figures.isCreateLost && figures.uploadId === undefined) return false;
				this.log('waits for the upload slot');
				const wait = await slot.waitForService(figures.uploadId, decision.retryAfterMs);
				if (wait.kind === 'held') figures.slotHolder = wait.holder;
				return wait.kind === 'tryAgain';
			}
			case 'tryAgain':
				// What the user allows as a wait for the slot is allowed here as well.
				return (
					budget.allows() &&
					(await this.pauseAfter(fault, faultPause, budget.grantWait(decision.retryAfterMs)))
				);
			case 'tryBriefly':
				return budget.allows(unreachableTries) && (await this.pauseAfter(fault, unreachablePause));
			case 'askAgain':
				return (
					++budget.unknownTries < unknownTries &&
					budget.allows() &&
					(await this.pauseAfter(fault, faultPause))
				);
			case 'giveUp':
				return false;
		}
	}

	private async pauseAfter(
		fault: unknown,
		{ firstMs, longestMs }: { firstMs: number; longestMs: number },
		leastMs = 0,
	): Promise<true> {
		const pauseMs = Math.max(growingPause(this.budget.tries, firstMs, longestMs), leastMs);
		this.log(`was interrupted and resumes in ${pauseMs} ms: ${messageOf(fault)}`);
		await pause(pauseMs, this.signal);
		return true;
	}

	/** Once, and never in place of an upload that the user named. */
	private startOver(slot: UploadSlot, identity: UploadIdentity): boolean {
		const { figures, file, job } = this;
		const { uploadId, offset } = figures;
		if (uploadId === undefined || job.uploadId !== undefined || this.hasStartedOver) return false;
		this.log('is unknown to the service, so it starts over');
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
		const { context, figures, job } = this;
		if (figures.uploadId === undefined || figures.bytesSent === this.sentAtOffset) return;
		const request = { ...stateRequest(figures.uploadId, job.itemIndex), timeout: job.idleTimeoutMs };
		const response = await requestOnce(context, request).catch(() => undefined);
		figures.offset = (response && uploadOffsetOf(response)) ?? figures.offset;
	}

	private log(what: string): void {
		const { uploadId, offset } = this.figures;
		this.context.logger.debug(`Video upload ${what}`, { uploadId, offset, size: this.file.size });
	}
}

function messageOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}
