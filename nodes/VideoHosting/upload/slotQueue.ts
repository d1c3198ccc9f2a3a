import { anySignal, pause, raceSignal } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { TransferError } from '../sources/transferErrors';

/** How long a worker of queue mode may use the slot before it leaves the other workers a gap, in milliseconds. */
export const BURST_MS = 30_000;

const TOO_LONG =
	'Another upload of this n8n held the upload slot for longer than Max Wait: increase Max Wait in the options of this node';

/** One upload in line for the slot. */
export interface Turn {
	/** Whether it continues an upload that exists: that one may be what holds the slot. */
	isResume: boolean;
	isPausing: boolean;
	/** It may use the slot now. */
	grant: () => void;
}

/**
 * The line for the one upload slot of an application in this process, in the order of the calls. Only the head of the line asks
 * the service. While the head pauses because another program holds the slot, the others stay in line, except an upload that
 * continues an existing one: that may be the one which everybody waits for.
 */
export class SlotQueue {
	/** Whether the service has refused the slot since the last gap: another program waits for it, too. */
	isContended = false;

	/** All that use the slot or wait for it, in the order in which they came. */
	private line: Turn[] = [];

	private user: Turn | undefined;

	/** When the slot was last left, and since when it is used without a gap; milliseconds of a monotonic clock. */
	private leftAt = -Infinity;

	private burstFrom = -Infinity;

	/**
	 * @param waitMs longest wait, in milliseconds
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async enter(isResume: boolean, waitMs: number, signal?: AbortSignal): Promise<Turn> {
		const turn: Turn = { isResume, isPausing: false, grant: () => {} };
		this.line.push(turn);
		await this.granted(turn, waitMs, signal).catch((error: unknown) => {
			this.leave(turn);
			throw error;
		});
		return turn;
	}

	leave(turn: Turn): void {
		this.line = this.line.filter((other) => other !== turn);
		if (this.user === turn) {
			this.user = undefined;
			this.leftAt = performance.now();
		}
		this.grantNext();
	}

	/**
	 * Pauses the use of the slot.
	 *
	 * @param waitMs longest wait in total, in milliseconds
	 * @throws as {@link enter}
	 */
	async pause(turn: Turn, ms: number, waitMs: number, signal?: AbortSignal): Promise<void> {
		const from = performance.now();
		turn.isPausing = true;
		this.user = undefined;
		this.grantNext();
		await pause(ms, signal).finally(() => (turn.isPausing = false));
		await this.granted(turn, Math.max(0, waitMs - (performance.now() - from)), signal);
	}

	/**
	 * How long to leave the slot to other programs before the next upload, in milliseconds: longer than they pause between two
	 * requests for it. 0 unless the service has refused the slot lately, or a worker has used it for a while.
	 */
	gapMs(isWorker: boolean): number {
		const now = performance.now();
		const gap = retryPolicy.slotPause.longestMs * 1.2;
		const idleMs = now - this.leftAt;
		if (idleMs >= gap) this.burstFrom = now;
		if (idleMs >= gap || !(this.isContended || (isWorker && now - this.burstFrom >= BURST_MS))) return 0;
		this.isContended = false;
		this.burstFrom = now;
		return Math.ceil(gap - idleMs);
	}

	/** Whether an upload uses the slot while the head pauses: it leaves no gap of its own. */
	isGuest(turn: Turn): boolean {
		return turn !== this.line[0];
	}

	private async granted(turn: Turn, waitMs: number, signal: AbortSignal | undefined): Promise<void> {
		const granted = new Promise<void>((resolve) => (turn.grant = resolve));
		this.grantNext();
		await within(granted, waitMs, signal);
	}

	private grantNext(): void {
		if (this.user) return;
		const [head] = this.line;
		const mayUse = (turn: Turn) =>
			!turn.isPausing && (turn === head || (turn.isResume && head?.isPausing === true));
		this.user = this.line.find(mayUse);
		this.user?.grant();
	}
}

/**
 * Waits for a promise.
 *
 * @throws as {@link SlotQueue.enter}
 */
export async function within(promise: Promise<void>, waitMs: number, cancelled?: AbortSignal): Promise<void> {
	const expired = AbortSignal.timeout(Math.ceil(waitMs));
	await raceSignal(promise, anySignal(cancelled, expired)).catch((error: unknown) => {
		throw expired.aborted && cancelled?.aborted !== true ? new TransferError(TOO_LONG) : error;
	});
}
