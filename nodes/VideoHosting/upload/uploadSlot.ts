import type { IExecuteFunctions } from 'n8n-workflow';

import { serviceCredential } from '../transport/credential';
import { backoffDelay, pause } from '../shared/pause';
import { cancelSignal } from '../transport/request';
import { retryPolicy } from '../shared/retryPolicy';
import { findSlotHolder, type SlotHolder } from './slotHolder';
import { enterSlotQueue } from './slotQueue';

/** How a wait for the service's upload slot ended. */
export type SlotWait =
	| { kind: 'retry' }
	/** Max Wait is over. */
	| { kind: 'tooLong' }
	/** An upload that this workflow or process left unfinished holds the slot, and nobody sends it. */
	| { kind: 'held'; holder: SlotHolder };

/** Runs of a node in which one item has waited for the whole Max Wait: the next items do not wait that long again. */
const runsOutOfPatience = new WeakSet<IExecuteFunctions>();

/**
 * The one upload slot of an application. Executions of this process queue for it; other programs show in the service's
 * status 429, after which the slot is requested again until Max Wait is over.
 */
export class UploadSlot {
	/** Time spent waiting, in milliseconds. */
	waitedMs = 0;

	private tries = 0;

	private leaveQueue: (() => void) | undefined;

	private readonly signal: AbortSignal | undefined;

	private readonly maxWaitMs: number;

	private constructor(
		private readonly context: IExecuteFunctions,
		/** Identifies the application. */
		readonly application: string,
		maxWaitMs: number,
		private readonly itemIndex: number,
	) {
		this.signal = cancelSignal(context);
		this.maxWaitMs = runsOutOfPatience.has(context) ? 0 : maxWaitMs;
	}

	/**
	 * Waits in the queue of this process.
	 *
	 * @param maxWaitMs longest wait for the slot, here and later, in milliseconds
	 * @throws TransferError when the wait was too long
	 */
	static async acquire(
		context: IExecuteFunctions,
		{ maxWaitMs, itemIndex }: { maxWaitMs: number; itemIndex: number },
	): Promise<UploadSlot> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		const slot = new UploadSlot(context, `${applicationId} ${baseUrl}`, maxWaitMs, itemIndex);
		await slot.enterQueue();
		return slot;
	}

	/** Whether the service has not rejected the upload for its slot yet. */
	get isFirstTry(): boolean {
		return this.tries === 0;
	}

	release(): void {
		this.leaveQueue?.();
		this.leaveQueue = undefined;
	}

	/**
	 * Waits after the service reported that another upload is active. Meanwhile other executions of this process may use the
	 * slot: one of them may be about to finish the upload that holds it.
	 *
	 * @param ownId ID of the upload that needs the slot, if it exists
	 * @param retryAfterMs Retry-After of the response, in milliseconds
	 * @throws TransferError when the queue of this process was too long; the signal's reason when it was aborted
	 */
	async waitForService(ownId: string | undefined, retryAfterMs: number): Promise<SlotWait> {
		const holder = await this.findHolder(ownId);
		if (this.leftMs() <= 0) {
			runsOutOfPatience.add(this.context);
			return holder ? { kind: 'held', holder } : { kind: 'tooLong' };
		}
		const { firstMs, longestMs } = retryPolicy.slotPause;
		const pauseMs = backoffDelay(++this.tries, firstMs, longestMs);
		await this.pauseOutsideQueue(holder ? pauseMs : Math.max(pauseMs, retryAfterMs));
		if (!holder) return { kind: 'retry' };
		// Another process may be sending it.
		const later = await this.findHolder(ownId);
		const isStill = later?.uploadId === holder.uploadId && later.offset === holder.offset;
		return isStill ? { kind: 'held', holder } : { kind: 'retry' };
	}

	private async findHolder(ownId: string | undefined): Promise<SlotHolder | undefined> {
		return await findSlotHolder(this.context, this.application, ownId, this.itemIndex);
	}

	private async pauseOutsideQueue(ms: number): Promise<void> {
		const from = Date.now();
		this.release();
		await pause(Math.min(ms, this.leftMs()), this.signal);
		this.waitedMs += Math.max(1, Date.now() - from);
		await this.enterQueue();
	}

	private async enterQueue(): Promise<void> {
		const from = Date.now();
		try {
			this.leaveQueue = await enterSlotQueue(this.application, this.leftMs(), this.signal);
		} finally {
			this.waitedMs += Date.now() - from;
		}
	}

	private leftMs(): number {
		return Math.max(0, this.maxWaitMs - this.waitedMs);
	}
}
