/**
 * Aborts its signal when nothing moved for so long. The timeout of n8n's HTTP client will not do: with redirects off,
 * axios 1.18 lets it run from the start of the request to the answer, however busy the connection is
 * (lib/adapters/http.js, connectPhaseTimer).
 */
export class IdleWatch {
	private readonly controller = new AbortController();

	private lastMove = Date.now();

	private stopped = false;

	/** @param limitMs milliseconds */
	constructor(private readonly limitMs: number) {
		this.lookIn(limitMs);
	}

	get signal(): AbortSignal {
		return this.controller.signal;
	}

	moved(): void {
		this.lastMove = Date.now();
	}

	stop(): void {
		this.stopped = true;
	}

	private lookIn(ms: number): void {
		const look = () => {
			this.look();
		};
		AbortSignal.timeout(ms).addEventListener('abort', look, { once: true });
	}

	private look(): void {
		if (this.stopped) return;
		const leftMs = this.lastMove + this.limitMs - Date.now();
		if (leftMs <= 0) this.controller.abort();
		else this.lookIn(leftMs);
	}
}
