import { backoffDelay } from './pause';

export interface RetryLimits {
	/** Tries in total of what may be repeated, after errors that pass. */
	tries: number;
	/** Pauses between them, in milliseconds, see backoffDelay(). A Retry-After that is longer than the longest is not waited for. */
	errorPause: { firstMs: number; longestMs: number };
	/** Time that may be waited for a rate limit in total, in milliseconds; 0 for none. */
	rateLimitMs: number;
}

/** A try that failed, with what led to it. */
export interface FailedTry {
	/** A rate limit (429), an error that may pass (no response, 5xx), or one that stays. */
	cause: 'rate-limited' | 'temporary' | 'permanent';
	/** What the Retry-After of the response says, in milliseconds. */
	retryAfterMs?: number;
	/** Whether it may be done again when it is not known whether it was processed. */
	isRepeatable: boolean;
	/** Tries that failed for this cause, with this one: 1, 2, … */
	failures: number;
	/** Time already waited for the rate limit, in milliseconds. */
	waitedMs: number;
}

/**
 * How long to wait before the next try, in milliseconds; undefined when there is none.
 *
 * What met a rate limit was not processed, so anything may be repeated after it, when the service asks for it
 * or after growing pauses, until the time is used up. After an error that may pass, only what is harmless is repeated.
 */
export function pauseBeforeRetry(
	{ cause, retryAfterMs = 0, isRepeatable, failures, waitedMs }: FailedTry,
	{ tries, errorPause, rateLimitMs }: RetryLimits,
): number | undefined {
	const pauseMs = Math.max(retryAfterMs, backoffDelay(failures, errorPause.firstMs, errorPause.longestMs));
	if (cause === 'rate-limited') return waitedMs + pauseMs <= rateLimitMs ? pauseMs : undefined;
	const isWorthwhile =
		cause === 'temporary' && isRepeatable && failures < tries && retryAfterMs <= errorPause.longestMs;
	return isWorthwhile ? pauseMs : undefined;
}
