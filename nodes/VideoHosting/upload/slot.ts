import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { nextPause } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { POLICIES } from '../shared/policies';
import { formatBytes } from '../shared/text';
import { ageOf, anySignal, pause } from '../shared/waiting';
import { TransferError } from '../sources/transfer';
import { operationError, retryAfterOf } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { UploadMemory } from './memory';
import { readState } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';

const TOO_LONG =
	'Another upload of this n8n took longer than Max Wait: increase Max Wait in the options of this node';

const WAITS =
	'waits for the upload slot, which another upload has. If n8n was restarted during that upload, complete it with Upload → Resume: its ID is in the line "was created as" of this log';

/** `isOver`: an item of the run has used up Max Wait, so the next items ask once each. */
const patienceOf = perRun(() => ({ isOver: false }));

/**
 * One item's use of the upload slot. Uploads of this process wait in line for the lock of their application. When the service answers
 * 429, another program has the slot, which is requested again until Max Wait is over.
 */
export class UploadSlot {
	private readonly patience;

	private readonly cancelled;

	private unlock: (() => void) | undefined;

	private tries = 0;

	/** @param upload its progress gets the time spent waiting, in milliseconds */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: UploadMemory,
		private readonly limits: { maxWaitMs: number },
		private readonly upload: { log: UploadLog; progress: { waitedMs: number } },
	) {
		this.patience = patienceOf(context);
		this.cancelled = cancelSignal(context);
	}

	/**
	 * Waits in the line of this process, and gives other programs a turn after a while. Does nothing while the slot is held.
	 *
	 * @param exists whether the upload exists, so that it may pass a new one that waits for the service
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async enter(exists?: () => boolean): Promise<void> {
		const { lock } = this.memory;
		if (this.unlock) return;
		if (!lock.isFree) this.upload.log.write('waits for another upload of this n8n');
		this.unlock = await this.inTime(async (signal) => await lock.enter(signal, exists));
		await pause(this.turnMs(), this.cancelled);
	}

	/** Leaves the slot to the next upload. */
	leave(): void {
		if (this.unlock) this.memory.use.leftAt = performance.now();
		this.unlock?.();
		this.unlock = undefined;
	}

	/**
	 * Waits after the service rejected a new upload, or bytes of one, with 429.
	 *
	 * @param isNew whether uploads that exist may pass meanwhile
	 * @returns false when Max Wait is over
	 * @throws NodeOperationError when an abandoned upload of this process has the slot: only a Resume frees it
	 */
	async waits(error: unknown, isNew: boolean): Promise<boolean> {
		if (isNew) await this.checkAbandoned();
		const { maxWaitMs: totalMs } = this.limits;
		const limit = { ...POLICIES.slot, totalMs };
		const count = { tried: ++this.tries, waitedMs: totalMs - this.leftMs() };
		const pauseMs = nextPause(limit, count, retryAfterOf(error));
		this.patience.isOver ||= pauseMs === undefined;
		if (pauseMs === undefined) return false;
		if (this.tries === 1) this.upload.log.write(WAITS);
		await this.inTime(async (signal) => {
			const pausing = pause(pauseMs, this.cancelled);
			await (isNew ? this.memory.lock.lend(pausing, signal) : pausing);
		});
		return true;
	}

	/** The last upload that Upload created here, partly sent: nobody has worked on it for a while, and the service has it as it was left. */
	private async checkAbandoned(): Promise<void> {
		const { context, memory } = this;
		const left = memory.find(memory.lastCreated);
		if (!left || ageOf(left.at) < POLICIES.leftAfterMs) return;
		const { file, offset, uploadId } = left;
		if (offset === 0 || offset === file.size) return;
		const state = await readState(context, uploadId).catch(() => undefined);
		// Else it is complete, or another process sends it.
		if (state?.offset === offset)
			throw operationError(
				context,
				`Unfinished upload ${uploadId} (${quoted(file.name)}, ${formatBytes(offset)} of ${formatBytes(file.size)}) blocks new uploads.`,
				'Finish it with Upload → Resume and the same file, or wait until the service drops it.',
			);
	}

	/** Pause that gives other programs a turn, in milliseconds. */
	private turnMs(): number {
		const { use } = this.memory;
		const { gapMs, useMs } = POLICIES.slotTurn;
		const now = performance.now();
		if (now - use.leftAt >= gapMs) use.since = now;
		if (now - use.since < useMs) return 0;
		use.since = now + gapMs;
		return gapMs;
	}

	/** Ends a wait when Max Wait is over, and adds its time to the budget, by a monotonic clock: the system's may be set. */
	private async inTime<T>(waiting: (signal: AbortSignal) => Promise<T>): Promise<T> {
		const from = performance.now();
		const expired = AbortSignal.timeout(Math.ceil(this.leftMs()));
		return await waiting(anySignal(this.cancelled, expired))
			.catch((error: unknown) => {
				this.patience.isOver ||= expired.aborted;
				throw expired.aborted ? new TransferError(TOO_LONG) : error;
			})
			.finally(() => {
				this.upload.progress.waitedMs += Math.round(performance.now() - from);
			});
	}

	private leftMs(): number {
		return this.patience.isOver ? 0 : Math.max(0, this.limits.maxWaitMs - this.upload.progress.waitedMs);
	}
}
