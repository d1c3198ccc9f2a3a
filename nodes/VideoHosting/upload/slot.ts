import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { nextPause } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { POLICIES } from '../shared/policies';
import { formatBytes } from '../shared/text';
import { ageOf, anySignal, pause, raceSignal } from '../shared/waiting';
import { TransferError } from '../sources/transfer';
import { retryAfterOf } from '../transport/errorMeaning';
import { cancelSignal } from '../transport/request';
import { OperationError } from '../transport/serviceError';
import type { UploadProgress } from './job';
import type { UploadMemory } from './memory';
import { readState } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';

const WAITS =
	'waits for the upload slot, which another upload has. If n8n was restarted during that upload, complete it with Upload → Resume: its ID is in the line "was created as" of this log';

/** `isOver`: an item of the run has used up Max Wait, so the next items ask once each. */
const patienceOf = perRun(() => ({ isOver: false }));

/**
 * One item's use of the upload slot. Uploads of this process wait in line for the lock of their application. When the service refuses a
 * new one with 429, another program has the slot: all new uploads of this process pause, and then one of them asks again.
 */
export class UploadSlot {
	private readonly patience;

	private readonly cancelled;

	private unlock: (() => void) | undefined;

	/** How many pauses this item has waited for: its own and those of other new uploads. */
	private pauses = 0;

	/** @param upload its progress gets the time spent waiting, in milliseconds */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: UploadMemory,
		private readonly limits: { maxWaitMs: number },
		private readonly upload: { log: UploadLog; progress: UploadProgress },
	) {
		this.patience = patienceOf(context);
		this.cancelled = cancelSignal(context);
	}

	/**
	 * Waits in the line of this process, and gives other programs a turn after a while. Does nothing while the slot is held.
	 *
	 * @param isNew whether the upload would be a new one: one that exists does not wait for the pause of new ones
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async enter(isNew = () => true): Promise<void> {
		const { lock } = this.memory;
		if (this.unlock) return;
		this.unlock = await this.inTime(async (signal) => {
			for (;;) {
				const { postPause } = this.memory;
				if (postPause && isNew()) await this.waitFor(postPause, signal);
				if (!lock.isFree && this.pauses === 0) this.upload.log.write('waits for another upload of this n8n');
				const unlock = await lock.enter(signal);
				// The new upload before in the line was refused, as this one would be.
				if (this.memory.postPause && isNew()) unlock();
				else return unlock;
			}
		});
		await pause(this.turnMs(), this.cancelled);
	}

	/** Leaves the slot to the next upload. */
	leave(): void {
		if (this.unlock) this.memory.use.leftAt = performance.now();
		this.unlock?.();
		this.unlock = undefined;
	}

	/**
	 * Waits after the service rejected a new upload, or bytes of one, with 429. A new upload leaves the lock, so that the upload that
	 * blocks it can be completed here; the pause is waited for by {@link enter}, as by all other new uploads.
	 *
	 * @returns false when Max Wait is over
	 * @throws OperationError when an abandoned upload of this process has the slot: only a Resume frees it
	 */
	async waits(error: unknown, isNew: boolean): Promise<boolean> {
		const { cancelled, memory } = this;
		if (isNew) await this.checkAbandoned();
		const retryAfterMs = retryAfterOf(error);
		const pauseMs = nextPause(POLICIES.slot, { tried: this.pauses + 1, leftMs: this.leftMs(), retryAfterMs });
		this.patience.isOver ||= pauseMs === undefined;
		if (pauseMs === undefined) return false;
		const pausing = pause(pauseMs, cancelled);
		if (isNew) {
			this.leave();
			memory.pausePosts(pausing);
		} else
			await this.inTime(async () => {
				await this.waitFor(pausing, cancelled);
			});
		return true;
	}

	private async waitFor(pausing: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
		if (this.pauses++ === 0) this.upload.log.write(WAITS);
		await raceSignal(pausing, signal);
	}

	/**
	 * The upload that blocks may be one that was left here: the last one that Upload created, or the one that this item has replaced.
	 * Nobody has worked on it for a while, and the service has it as it was left. Example: a proxy refused its first bytes with 413.
	 */
	private async checkAbandoned(): Promise<void> {
		const { context, memory, upload } = this;
		for (const id of new Set([memory.lastCreated, upload.progress.replaced?.uploadId])) {
			const left = memory.find(id);
			if (!left || ageOf(left.at) < POLICIES.leftAfterMs) continue;
			const { file, offset, uploadId } = left;
			if (offset === file.size) continue;
			const state = await readState(context, uploadId).catch(() => undefined);
			// Else it is complete, or another process sends it.
			if (state?.offset === offset)
				throw new OperationError(
					`Unfinished upload ${uploadId} (${quoted(file.name)}, ${formatBytes(offset)} of ${formatBytes(file.size)}) blocks new uploads.`,
					'Finish it with Upload → Resume and the same file, or wait until the service drops it.',
				);
		}
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
				throw expired.aborted ? tooLongError() : error;
			})
			.finally(() => {
				this.upload.progress.waitedMs += Math.round(performance.now() - from);
			});
	}

	private leftMs(): number {
		return this.patience.isOver ? 0 : Math.max(0, this.limits.maxWaitMs - this.upload.progress.waitedMs);
	}
}

function tooLongError(): TransferError {
	const advice = 'Increase Max Wait in the options of this node.';
	return new TransferError('Another upload took longer than Max Wait', false, advice);
}
