import { pause, raceSignal } from '../shared/pause';
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
	granted: Promise<void>;
	grant: () => void;
	left: Promise<void>;
	leave: () => void;
}

const queues = new Map<string, SlotQueue>();

/** The queue of an application in this process. */
export function slotQueueOf(application: string): SlotQueue {
	const queue = queues.get(application) ?? new SlotQueue();
	queues.set(application, queue);
	return queue;
}

/**
 * The line for the one upload slot of an application in this process, in the order of the calls. Only the head of the line asks
 * the service. While the head pauses because another program holds the slot, the others stay in line, except an upload that
 * continues an existing one: that may be the one which everybody waits for.
 */
export class SlotQueue {
	/** Whether the service has refused the slot since the last gap: another program waits for it, too. */
	isContended = false;

	private readonly waiting: Turn[] = [];

	private head: Turn | undefined;

	/** Uses the slot while the head pauses. */
	private guest: Turn | undefined;

	/** When the slot was last left, and since when it is used without a gap; milliseconds of a monotonic clock. */
	private leftAt = -Infinity;

	private burstFrom = -Infinity;

	/**
	 * @param waitMs longest wait, in milliseconds
	 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
	 */
	async enter(isResume: boolean, waitMs: number, signal?: AbortSignal): Promise<Turn> {
		const turn = newTurn(isResume);
		this.waiting.push(turn);
		this.grantNext();
		await within(turn.granted, waitMs, signal).catch((error: unknown) => {
			this.leave(turn);
			throw error;
		});
		return turn;
	}

	leave(turn: Turn): void {
		const index = this.waiting.indexOf(turn);
		if (index >= 0) this.waiting.splice(index, 1);
		if (this.head === turn) this.head = undefined;
		if (this.guest === turn) this.guest = undefined;
		if (index < 0) this.leftAt = performance.now();
		turn.leave();
		this.grantNext();
	}

	/**
	 * Pauses the use of the slot.
	 *
	 * @param waitMs longest wait in total, in milliseconds
	 * @returns the turn with which the slot may be used again
	 * @throws as {@link enter}
	 */
	async pause(turn: Turn, ms: number, waitMs: number, signal?: AbortSignal): Promise<Turn> {
		const from = performance.now();
		const leftMs = () => Math.max(0, waitMs - (performance.now() - from));
		if (turn !== this.head) {
			// The head may hold the slot for the very upload that the guest continues.
			this.leave(turn);
			await pause(ms, signal);
			return await this.enter(turn.isResume, leftMs(), signal);
		}
		turn.isPausing = true;
		this.grantNext();
		try {
			await pause(ms, signal);
			while (this.guest) await within(this.guest.left, leftMs(), signal);
			return turn;
		} finally {
			turn.isPausing = false;
		}
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
		return turn === this.guest;
	}

	private grantNext(): void {
		if (!this.head) this.head = this.take(() => true);
		else if (this.head.isPausing && !this.guest) this.guest = this.take(({ isResume }) => isResume);
	}

	private take(isNext: (turn: Turn) => boolean): Turn | undefined {
		const index = this.waiting.findIndex(isNext);
		const [turn] = index < 0 ? [] : this.waiting.splice(index, 1);
		turn?.grant();
		return turn;
	}
}

function newTurn(isResume: boolean): Turn {
	let grant = () => {};
	let leave = () => {};
	const granted = new Promise<void>((resolve) => (grant = resolve));
	const left = new Promise<void>((resolve) => (leave = resolve));
	return { isResume, isPausing: false, granted, grant, left, leave };
}

/**
 * Waits for a promise.
 *
 * @throws as {@link SlotQueue.enter}
 */
export async function within(promise: Promise<void>, waitMs: number, cancelled?: AbortSignal): Promise<void> {
	const expired = AbortSignal.timeout(Math.ceil(waitMs));
	const ended = cancelled ? AbortSignal.any([cancelled, expired]) : expired;
	await raceSignal(promise, ended).catch((error: unknown) => {
		throw expired.aborted && cancelled?.aborted !== true ? new TransferError(TOO_LONG, false) : error;
	});
}
