import type { IExecuteFunctions } from 'n8n-workflow';

import { formatBytes } from '../shared/formatBytes';
import { Lock } from '../shared/lock';
import { anySignal, backoffDelay, pause } from '../shared/pause';
import { perRun } from '../shared/perRun';
import { retryPolicy } from '../shared/retryPolicy';
import { TransferError } from '../sources/transferErrors';
import { operationError, retryAfterOf } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { UploadMemory, UploadRecord } from './memory';
import { readState } from './tus/uploadState';

const TOO_LONG =
	'Another upload of this n8n took longer than Max Wait: increase Max Wait in the options of this node';

const OWNER_PAUSE_MS = 100;

/** Of one application in this process. */
class SlotUse {
	/** For creating an upload: kept while the service is waited for, so that only one asks it. */
	readonly creating = new Lock();

	/** For sending: free while the service is waited for, so that an upload that exists may pass. */
	readonly sending = new Lock();

	/** When the slot was last left, and since when it is used without a gap; milliseconds of a monotonic clock. */
	private leftAt = -Infinity;

	private usedSince = 0;

	/** How long to leave the slot to other programs before the next upload, in milliseconds. */
	gapMs(): number {
		const { gapMs, useMs } = retryPolicy.slotTurn;
		const now = performance.now();
		if (now - this.leftAt >= gapMs) this.usedSince = now;
		if (now - this.usedSince < useMs) return 0;
		this.usedSince = now + gapMs;
		return gapMs;
	}

	left(): void {
		this.leftAt = performance.now();
	}
}

const useOf = perRun(() => new SlotUse());

/**
 * The one upload slot of an application, as one upload uses it. Executions of this process wait in line; other programs show in
 * the service's status 429, after which the slot is requested again until Max Wait is over.
 */
export class UploadSlot {
	private readonly use: SlotUse;

	private readonly signal: AbortSignal | undefined;

	private leaveCreating: (() => void) | undefined;

	private leaveSending: (() => void) | undefined;

	private tries = 0;

	/** Unfinished uploads that turned out not to hold the slot: the service has all of them, or does not know them. */
	private readonly harmless = new Set<UploadRecord>();

	/** @param state gets the time spent waiting, in milliseconds */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: UploadMemory,
		private readonly maxWaitMs: number,
		private readonly state: { waitedMs: number },
	) {
		this.use = useOf(memory);
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
		const isFree = sending.isFree && (!isNew || creating.isFree);
		await this.wait(async () => {
			if (isNew && !this.leaveCreating) {
				// Whoever creates holds the lock for creating first; the other order could block both.
				this.leaveSending?.();
				this.leaveCreating = await this.inLine(creating);
			}
			this.leaveSending = await this.inLine(sending);
			await pause(Math.min(this.use.gapMs(), this.leftMs()), this.signal);
		});
		return !isFree;
	}

	/** Leaves the slot to the next upload. */
	leave(): void {
		if (this.leaveSending) this.use.left();
		this.leaveSending?.();
		this.leaveCreating?.();
		this.leaveSending = this.leaveCreating = undefined;
	}

	/**
	 * Waits after the service reported that another upload is active.
	 *
	 * @param busy the service's error, which is thrown when Max Wait is over
	 * @param ownId ID of the upload that needs the slot, if it exists
	 * @throws NodeOperationError that names an unfinished upload of this process which holds the slot
	 */
	async waitForService(busy: unknown, ownId: string | undefined): Promise<void> {
		const isOver = this.leftMs() === 0;
		await this.checkNotLeft(ownId, isOver ? 0 : retryPolicy.leftAfterMs);
		if (isOver) throw busy;
		this.leaveSending?.();
		this.leaveSending = undefined;
		await this.wait(async () => {
			const pauseMs = backoffDelay(++this.tries, retryPolicy.slotPause, retryAfterOf(busy));
			await pause(Math.min(pauseMs, this.leftMs()), this.signal);
			this.leaveSending = await this.inLine(this.use.sending, Math.max(this.leftMs(), 1));
		});
	}

	/** Waits until nobody works on an upload that the user named. Its owner may need the slot for that. */
	async waitForOwner(uploadId: string | undefined): Promise<void> {
		while (this.memory.find(uploadId)?.isBusy) {
			this.leave();
			if (this.leftMs() === 0)
				throw new TransferError(`Upload ${uploadId} is being sent by another execution. ${TOO_LONG}`);
			await this.wait(async () => {
				await pause(OWNER_PAUSE_MS, this.signal);
			});
		}
	}

	/** An unfinished upload of this process that nobody works on ends the wait: it would last until somebody resumes it. */
	private async checkNotLeft(ownId: string | undefined, idleMs: number): Promise<void> {
		const { harmless, memory } = this;
		const left = memory.latest((record) => record.status === 'unfinished' && !harmless.has(record));
		const isIdle = () => left && !left.isBusy && Date.now() - left.at >= idleMs;
		if (!left || left.uploadId === ownId || !isIdle()) return;
		const { file, uploadId } = left;
		const droppedSize = file.size;
		const state = await readState(this.context, uploadId, { droppedSize }).catch(() => undefined);
		// The next time, an earlier one may be the latest.
		if (state?.offset === file.size) harmless.add(left);
		if (!state || state.offset === file.size || !isIdle()) return;
		throw operationError(
			this.context,
			`Unfinished upload ${uploadId} (${file.name}, ${formatBytes(state.offset)} of ${formatBytes(file.size)}) blocks new uploads.`,
			'Finish it with Upload → Resume and the same file, or wait until the service drops it.',
		);
	}

	private async inLine(lock: Lock, waitMs = this.leftMs()): Promise<() => void> {
		const expired = AbortSignal.timeout(Math.ceil(waitMs));
		return await lock
			.enter(lock.isFree ? undefined : anySignal(this.signal, expired))
			.catch((error: unknown) => {
				throw expired.aborted && this.signal?.aborted !== true ? new TransferError(TOO_LONG) : error;
			});
	}

	/** Measured with a monotonic clock: the system's may be set. */
	private async wait(waiting: () => Promise<void>): Promise<void> {
		const from = performance.now();
		await waiting().finally(() => {
			this.state.waitedMs += Math.round(performance.now() - from);
		});
	}

	private leftMs(): number {
		return Math.max(0, this.maxWaitMs - this.state.waitedMs);
	}
}
