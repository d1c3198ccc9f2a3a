import type { IExecuteFunctions } from 'n8n-workflow';

import { nodeRunOf, type NodeRun } from '../shared/nodeRun';
import { backoffDelay } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { TransferError } from '../sources/transferErrors';
import { cancelSignal } from '../transport/request';
import type { Ledger } from './ledger';
import type { OpenEntry } from './ledgerEntry';
import { instanceTypeOf } from './ledgerStorage';
import { within, type Turn } from './slotQueue';
import { readOffset } from './tus/uploadRequests';

/** An upload that nobody sends, and that the service still reports as unfinished. */
export interface SlotHolder {
	entry: OpenEntry;
	/** Bytes that the service has. */
	offset: number;
}

/** All are requested at once, so this is also the limit of the whole search. */
const REQUEST_TIMEOUT_MS = 4_000;

/** Most uploads that are requested in search of the holder: the latest ones. */
const MOST_CANDIDATES = 10;

/**
 * Runs of a node in which one item has waited for the whole Max Wait: the next items and tries do not wait that long again to begin an
 * upload.
 */
const runsOutOfPatience = new WeakSet<NodeRun>();

/**
 * The one upload slot of an application. Executions of this process queue for it; other programs show in the service's
 * status 429, after which the head of the queue requests the slot again until Max Wait is over.
 */
export class UploadSlot {
	private tries = 0;

	private turn: Turn | undefined;

	/** Whether it is wanted for an upload of which the service has no bytes yet. */
	private isNew = true;

	private readonly signal: AbortSignal | undefined;

	/**
	 * @param maxWaitMs longest wait for the slot in total, in milliseconds
	 * @param state gets the time spent waiting
	 */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly ledger: Ledger,
		private readonly maxWaitMs: number,
		private readonly state: { waitedMs: number; readonly offset: number },
	) {
		this.signal = cancelSignal(context);
	}

	/** Whether the service has not refused the slot yet. */
	get isFirstTry(): boolean {
		return this.tries === 0;
	}

	/**
	 * Waits in the queue of this process.
	 *
	 * @param isResume whether an existing upload is continued, which may be what holds the slot
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async acquire(isResume: boolean): Promise<void> {
		this.isNew = !isResume;
		// What this run has left unfinished may be what the others wait for: its next try comes only after its other items.
		const hasLeft = this.ledger
			.idle('unfinished')
			.some(({ run }) => run?.deref() === nodeRunOf(this.context));
		await this.wait(async () => {
			this.turn = await this.ledger.queue.enter(isResume || hasLeft, this.leftMs(), this.signal);
		});
		if (this.turn && this.ledger.queue.isGuest(this.turn)) return;
		// Then there are others (docs/n8n-internals.md#when-it-is-saved).
		const isWorker = instanceTypeOf(this.context) === 'worker';
		const gapMs = Math.min(this.ledger.queue.gapMs(isWorker), this.leftMs());
		if (gapMs > 0) await this.pause(gapMs);
	}

	release(): void {
		if (this.turn) this.ledger.queue.leave(this.turn);
		this.turn = undefined;
	}

	/**
	 * Waits after the service reported that another upload is active.
	 *
	 * @param ownId ID of the upload that needs the slot, if it exists
	 * @param retryAfterMs Retry-After of the response, in milliseconds
	 * @returns `waited`, or what holds the slot when that need not be waited for: a known upload that nobody sends, or undefined when
	 * Max Wait is over
	 * @throws as {@link acquire}
	 */
	async waitForService(
		ownId: string | undefined,
		retryAfterMs: number,
	): Promise<'waited' | SlotHolder | undefined> {
		this.ledger.queue.isContended = true;
		this.isNew = ownId === undefined || this.state.offset === 0;
		// What sends an upload that this run has reserved comes after this run. Others that are reserved are waited for.
		const reserved = this.ledger.idle('reserved').filter(({ uploadId }) => uploadId !== ownId);
		const own = reserved.find(({ run }) => run?.deref() === nodeRunOf(this.context));
		if (own) return { entry: own, offset: 0 };
		const holder = await this.findHolder(ownId);
		if (this.leftMs() <= 0) {
			runsOutOfPatience.add(nodeRunOf(this.context));
			const [entry] = reserved;
			return holder ?? (entry && { entry, offset: 0 });
		}
		const pauseMs = backoffDelay(++this.tries, retryPolicy.slotPause);
		// What is to be created now has to wait like everybody, although its turn may have begun as a resume.
		const isOwn = holder?.entry.run?.deref() === nodeRunOf(this.context);
		if (this.turn) this.turn.isResume = ownId !== undefined || isOwn;
		await this.pause(Math.min(holder ? pauseMs : Math.max(pauseMs, retryAfterMs), this.leftMs()));
		if (!holder) return 'waited';
		// Another process may be sending it.
		const later = await this.findHolder(ownId);
		return later?.entry === holder.entry && later.offset === holder.offset ? holder : 'waited';
	}

	/**
	 * Leaves the slot to others until somebody has finished.
	 *
	 * @throws as {@link acquire}
	 */
	async waitFor(finished: Promise<void>): Promise<void> {
		this.release();
		await this.wait(async () => {
			await within(finished, this.leftMs(), this.signal);
		});
		await this.acquire(false);
	}

	/** The unfinished upload that the service has and nobody in this process sends. */
	private async findHolder(exceptId: string | undefined): Promise<SlotHolder | undefined> {
		const candidates = this.ledger.idle('unfinished').filter(({ uploadId }) => uploadId !== exceptId);
		const found = await Promise.all(
			candidates.slice(0, MOST_CANDIDATES).map(async (entry) => {
				// An upload whose state cannot be read is not known to hold the slot.
				const offset = await readOffset(this.context, entry.uploadId, REQUEST_TIMEOUT_MS);
				return offset === undefined || offset === entry.file.size ? undefined : { entry, offset };
			}),
		);
		// An upload whose node n8n tries again is not left, except by its own items.
		const isLeft = ({ busy, run }: OpenEntry) => {
			const nodeRun = run?.deref();
			return !busy && (!nodeRun?.isTried || nodeRun === nodeRunOf(this.context));
		};
		return found.find((holder) => holder !== undefined && isLeft(holder.entry));
	}

	private async pause(ms: number): Promise<void> {
		await this.wait(async () => {
			if (this.turn) await this.ledger.queue.pause(this.turn, ms, this.leftMs(), this.signal);
		});
	}

	/** Measured with a monotonic clock: the system's may be set. */
	private async wait(waiting: () => Promise<void>): Promise<void> {
		const from = performance.now();
		try {
			await waiting().catch((error: unknown) => {
				if (error instanceof TransferError) runsOutOfPatience.add(nodeRunOf(this.context));
				throw error;
			});
		} finally {
			const ms = performance.now() - from;
			if (ms >= 1) this.state.waitedMs += Math.round(ms);
		}
	}

	private leftMs(): number {
		const isOver = this.isNew && runsOutOfPatience.has(nodeRunOf(this.context));
		return isOver ? 0 : Math.max(0, this.maxWaitMs - this.state.waitedMs);
	}
}
