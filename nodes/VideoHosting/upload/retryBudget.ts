import { retryPolicy } from '../shared/retryPolicy';

/**
 * Counts the tries of one upload. Only an offset that the service never reported before is progress: an offset that moves
 * back and forth would otherwise be retried forever.
 */
export class RetryBudget {
	/** Tries since the highest offset last rose, the present one included. */
	tries = 0;

	/** Times in a row that the service reported the upload as unknown. */
	unknownTries = 0;

	private totalTries = 0;

	private highestOffset = 0;

	private waitedOnRequestMs = 0;

	/** @param maxWaitMs longest wait in total for Retry-After headers, in milliseconds */
	constructor(private readonly maxWaitMs: number) {}

	/** @param offset that the service last reported, in bytes */
	countError(offset: number): void {
		this.totalTries++;
		this.tries = offset > this.highestOffset ? 1 : this.tries + 1;
		this.highestOffset = Math.max(this.highestOffset, offset);
	}

	/** A wait for the upload slot is bounded by Max Wait instead. */
	uncountError(): void {
		this.totalTries--;
		this.tries--;
	}

	/** @param most tries without progress */
	allows(most = retryPolicy.tries): boolean {
		return this.tries < most && this.totalTries < retryPolicy.totalTries;
	}

	/**
	 * How much of a Retry-After to wait. A service may send one of hours, and again after each try.
	 *
	 * @param retryAfterMs the header's value in milliseconds
	 * @returns milliseconds, which count as waited
	 */
	grantWait(retryAfterMs: number): number {
		const granted = Math.min(retryAfterMs, this.maxWaitMs - this.waitedOnRequestMs);
		this.waitedOnRequestMs += granted;
		return granted;
	}

	/** A new upload begins at byte 0. */
	startOver(): void {
		this.tries = this.unknownTries = this.highestOffset = 0;
	}
}
