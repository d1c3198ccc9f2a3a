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
