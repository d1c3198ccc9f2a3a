import type { IExecuteFunctions } from 'n8n-workflow';

import { nextTry } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { policiesOf } from '../shared/policies';
import { formatBytes } from '../shared/text';
import { ageOf, anySignal, Lock, pause } from '../shared/waiting';
import { TransferError } from '../sources/transfer';
import { isSlotBusy, operationError, retryAfterOf } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { UploadMemory, UploadRecord } from './memory';
import { readState } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';

const TOO_LONG =
	'Another upload of this n8n took longer than Max Wait: increase Max Wait in the options of this node';

const OWNER_PAUSE_MS = 100;

/** The slot of one application in this process. */
class SlotUse {
	/** Held while waiting for the service, too, so that only one upload asks for the slot. */
	readonly creating = new Lock();

	/** Released while waiting for the service, so that an upload that exists may pass. */
	readonly sending = new Lock();

	/** Milliseconds of a monotonic clock, as is `usedSince`, the start of the use without a gap. */
	leftAt = -Infinity;

	private usedSince = 0;

	/** Pause that gives other programs a turn, in milliseconds. */
	gapMs({ gapMs, useMs }: { gapMs: number; useMs: number }): number {
		const now = performance.now();
		if (now - this.leftAt >= gapMs) this.usedSince = now;
		if (now - this.usedSince < useMs) return 0;
		this.usedSince = now + gapMs;
		return gapMs;
	}
}

const useOf = perRun(() => new SlotUse());

/** `isOver`: an item of the run has used up Max Wait, so the next items ask once each. */
const patienceOf = perRun(() => ({ isOver: false }));

/**
 * One upload's use of the upload slot. Uploads of this process wait in line. When the service answers 429, another program has the
 * slot, which is requested again until Max Wait is over.
 */
export class UploadSlot {
	private readonly use: SlotUse;

	private readonly patience: { isOver: boolean };

	private readonly signal: AbortSignal | undefined;

	private leaveCreating: (() => void) | undefined;

	private leaveSending: (() => void) | undefined;

	private tries = 0;

	/** @param upload its progress gets the time spent waiting, in milliseconds */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: UploadMemory,
		private readonly limits: { maxWaitMs: number; idleTimeoutMs?: number },
		private readonly upload: { log: UploadLog; progress: { waitedMs: number } },
	) {
		this.use = useOf(memory);
		this.patience = patienceOf(context);
		this.signal = cancelSignal(context);
	}

	/**
	 * Waits in the line of this process.
	 *
	 * @param isNew whether an upload is to be created
	 * @returns whether it had to wait
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async enter(isNew: boolean): Promise<boolean> {
		const { creating, sending } = this.use;
		if (this.leaveSending && (!isNew || this.leaveCreating)) return false;
		// Whoever creates holds the lock for creating first; the other order could block both.
		if (isNew) this.leaveSending?.();
		const isFree = sending.isFree && (!isNew || creating.isFree);
		if (!isFree) this.upload.log.write('waits for another upload of this n8n');
		// Each wait for itself, so that the next one has what is left of Max Wait.
		if (isNew) this.leaveCreating ??= await this.wait(this.inLine(creating));
		this.leaveSending = await this.wait(this.inLine(sending));
		const gapMs = this.use.gapMs(policiesOf(this.context).slotTurn);
		await pause(gapMs, this.signal);
		return !isFree || gapMs > 0;
	}

	/** Leaves the slot to the next upload. */
	leave(): void {
		if (this.leaveSending) this.use.leftAt = performance.now();
		this.leaveSending?.();
		this.leaveCreating?.();
		this.leaveSending = this.leaveCreating = undefined;
	}

	/**
	 * Waits after the service reported that another upload is active.
	 *
	 * @param error thrown when Max Wait is over, or when it is another error
	 * @param own the upload that needs the slot, if it exists
	 * @throws NodeOperationError that names an unfinished upload of this process which holds the slot
	 */
	async waitForService(error: unknown, own?: UploadRecord): Promise<void> {
		if (!isSlotBusy(error)) throw error;
		const { idleTimeoutMs, maxWaitMs: totalMs } = this.limits;
		const { leftAfterMs, slot } = policiesOf(this.context);
		// Each try of an upload that exists opens its source anew.
		const longestMs = (own && idleTimeoutMs) ?? slot.longestMs;
		const policy = { slot: { ...slot, longestMs, totalMs } };
		const waitedMs = totalMs - this.leftMs();
		const retryAfterMs = retryAfterOf(error);
		const next = nextTry({ kind: 'slot', policy, tried: ++this.tries, waitedMs, retryAfterMs });
		await this.wait(this.checkNotLeft(next === 'give up' ? 0 : leftAfterMs));
		if (next === 'give up') this.endPatience(error);
		this.upload.log.waits();
		this.leaveSending?.();
		this.leaveSending = undefined;
		await this.wait(pause(next.pauseMs, this.signal));
		this.leaveSending = await this.wait(this.inLine(this.use.sending, Math.max(this.leftMs(), 1)));
	}

	/**
	 * Waits until no upload is locked that the function names. Leaves the slot meanwhile: the item that has the lock may need the slot.
	 */
	async waitForOwner(uploadId: () => string | undefined): Promise<void> {
		const isBusy = () => this.memory.find(uploadId())?.isBusy === true;
		if (isBusy()) this.upload.log.write('waits for the execution that works on it');
		while (isBusy()) {
			this.leave();
			if (this.leftMs() === 0)
				this.endPatience(
					new TransferError(`Upload ${uploadId()} is being sent by another execution. ${TOO_LONG}`),
				);
			await this.wait(pause(OWNER_PAUSE_MS, this.signal));
		}
	}

	/** Ends the wait when an abandoned upload of this process has the slot: only a Resume would free the slot. */
	private async checkNotLeft(idleMs: number): Promise<void> {
		const { context, memory } = this;
		const left = memory.lastInSlot;
		if (!left || left.offset === left.file.size) return;
		const isLeft = () =>
			memory.lastInSlot === left && left.status === 'unfinished' && !left.isBusy && ageOf(left.at) >= idleMs;
		if (!isLeft()) return;
		const { file, uploadId } = left;
		const state = await readState(context, uploadId, { droppedSize: file.size }).catch(() => undefined);
		if (!state || !isLeft()) return;
		// It is complete, or another process sends it.
		if (state.offset !== left.offset) {
			left.offset = state.offset;
			return;
		}
		throw operationError(
			context,
			`Unfinished upload ${uploadId} (${file.name}, ${formatBytes(state.offset)} of ${formatBytes(file.size)}) blocks new uploads.`,
			'Finish it with Upload → Resume and the same file, or wait until the service drops it.',
		);
	}

	private async inLine(lock: Lock, waitMs = this.leftMs()): Promise<() => void> {
		const expired = AbortSignal.timeout(Math.ceil(waitMs));
		return await lock.enter(anySignal(this.signal, expired)).catch((error: unknown) => {
			if (expired.aborted) this.endPatience(new TransferError(TOO_LONG));
			throw error;
		});
	}

	/** Adds the time to the budget, by a monotonic clock: the system's may be set. */
	private async wait<T>(waiting: Promise<T>): Promise<T> {
		const from = performance.now();
		return await waiting.finally(() => {
			this.upload.progress.waitedMs += Math.round(performance.now() - from);
		});
	}

	private endPatience(error: Error): never {
		this.patience.isOver = true;
		throw error;
	}

	private leftMs(): number {
		return this.patience.isOver ? 0 : Math.max(0, this.limits.maxWaitMs - this.upload.progress.waitedMs);
	}
}
