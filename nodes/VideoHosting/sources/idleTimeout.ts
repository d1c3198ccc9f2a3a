import { TransferError } from './transferErrors';

/** When reading a source ends before its time. */
export interface SourceLimits {
	/** The source may stand still for so many milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Aborted when the execution is cancelled. */
	cancelled: AbortSignal | undefined;
}

/**
 * Reads from a source while no request waits for its bytes: any chunk counts as movement, also one that is only skipped or
 * compared. A source that stands still is closed, and so is one whose execution is cancelled.
 *
 * @param read calls `onRead` after each chunk; what it does after that has thrown has no effect
 * @throws the cancel signal's reason; TransferError when the source stood still; what `read` throws
 */
export async function withIdleTimeout<T>(
	source: { close(): void },
	{ idleTimeoutMs, cancelled }: SourceLimits,
	read: (onRead: () => void) => Promise<T>,
): Promise<T> {
	cancelled?.throwIfAborted();
	const timer = new IdleTimer(idleTimeoutMs);
	const ended = AbortSignal.any([timer.signal, ...(cancelled ? [cancelled] : [])]);
	const stop = new AbortController();
	const end = () =>
		cancelled?.aborted === true ? (cancelled.reason as Error) : idleSourceError(idleTimeoutMs);
	const aborted = new Promise<never>((_resolve, reject) => {
		const onEnd = () => {
			// Not every source ends its read when it is closed.
			reject(end());
			source.close();
		};
		ended.addEventListener('abort', onEnd, { once: true, signal: stop.signal });
	});
	const onRead = () => {
		if (ended.aborted) throw end();
		timer.reset();
	};
	try {
		return await Promise.race([read(onRead), aborted]);
	} finally {
		timer.stop();
		stop.abort();
	}
}

function idleSourceError(idleTimeoutMs: number): TransferError {
	return new TransferError(
		`The source of the file was idle for ${idleTimeoutMs / 1000} seconds, so it was closed`,
		true,
	);
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
