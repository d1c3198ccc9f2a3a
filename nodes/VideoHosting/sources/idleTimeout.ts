import { TransferError } from './transferErrors';

/** When reading a source, or sending it, ends before its time. */
export interface SourceLimits {
	/** It may stand still for so many milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Aborted when the execution is cancelled. */
	cancelled: AbortSignal | undefined;
}

/**
 * Works with a source as long as something moves: any chunk counts, also one that is only skipped or compared. A source that
 * stands still is closed, and so is one whose execution is cancelled.
 *
 * @param work calls `onMoved` after each chunk; the signal ends its requests; what it does after that has no effect
 * @param idle the beginning of the error's sentence
 * @throws the cancel signal's reason; TransferError when the source stood still; what `work` throws
 */
export async function withIdleTimeout<T>(
	source: { close(): void },
	{ idleTimeoutMs, cancelled }: SourceLimits,
	work: (onMoved: () => void, signal: AbortSignal) => Promise<T>,
	idle = 'The source of the file was idle for',
): Promise<T> {
	cancelled?.throwIfAborted();
	const timer = new IdleTimer(idleTimeoutMs);
	const ended = AbortSignal.any([timer.signal, ...(cancelled ? [cancelled] : [])]);
	const stop = new AbortController();
	const end = () =>
		cancelled?.aborted === true ? (cancelled.reason as Error) : idleError(idle, idleTimeoutMs);
	const aborted = new Promise<never>((_resolve, reject) => {
		const onEnd = () => {
			// Not every source ends its read when it is closed.
			reject(end());
			source.close();
		};
		ended.addEventListener('abort', onEnd, { once: true, signal: stop.signal });
	});
	const onMoved = () => {
		if (ended.aborted) throw end();
		timer.reset();
	};
	try {
		return await Promise.race([work(onMoved, timer.signal), aborted]);
	} finally {
		timer.stop();
		stop.abort();
	}
}

function idleError(idle: string, idleTimeoutMs: number): TransferError {
	return new TransferError(`${idle} ${idleTimeoutMs / 1000} seconds, so it was closed`, true);
}

/**
 * Aborts its signal when nothing moved for that long, by a monotonic clock: the system's may be set. The timeout of n8n's HTTP client does not fit: with redirects off,
 * axios 1.18 lets it run from the start of the request to the response, however busy the connection is
 * (lib/adapters/http.js, connectPhaseTimer).
 */
export class IdleTimer {
	private readonly controller = new AbortController();

	private lastActivity = performance.now();

	private stopped = false;

	/** @param limitMs milliseconds, a whole number: AbortSignal.timeout() rejects others */
	constructor(private readonly limitMs: number) {
		this.checkIn(limitMs);
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	reset(): void {
		this.lastActivity = performance.now();
	}

	stop(): void {
		this.stopped = true;
	}

	private checkIn(ms: number): void {
		const look = () => {
			this.check();
		};
		AbortSignal.timeout(ms).addEventListener('abort', look, { once: true });
	}

	private check(): void {
		if (this.stopped) return;
		// A timer accepts whole numbers.
		const leftMs = Math.ceil(this.lastActivity + this.limitMs - performance.now());
		if (leftMs <= 0) this.controller.abort();
		else this.checkIn(leftMs);
	}
}
