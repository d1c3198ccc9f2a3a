/** What an error means for another try. */
export type ErrorKind =
	/** Another upload has the upload slot of the application. */
	| 'slot'
	/** Any other 429. */
	| 'rate limit'
	/** No response, a 5xx, a cut. */
	| 'passes'
	/** The token or the upload was rejected, which the next try may mend. */
	| 'rejected'
	/** The service does not know the upload. */
	| 'unknown'
	| 'final';

/** How often and how long something is tried again after errors of one kind. */
export interface Limit {
	/** Most tries, including the first one; any number by default. */
	tries?: number;
	/** Most time of all pauses together, in milliseconds. */
	totalMs: number;
	/** A pause is doubled from the first to the longest; milliseconds. */
	firstMs: number;
	longestMs: number;
	/** Whether a pause longer than the time left is shortened; by default, it ends the tries. */
	isShortened?: boolean;
}

/** After a kind without a limit, nothing is tried again. */
export type Policy = Partial<Record<ErrorKind, Limit>>;

/** What was tried so far after errors of one kind. */
interface Count {
	/** How often it was tried, at least once. */
	tried: number;
	/** Of {@link Limit.totalMs}, milliseconds. */
	waitedMs: number;
}

/**
 * The pause before the next try, in milliseconds; undefined when there is none. Pauses differ, so that several clients do not retry at the
 * same moment.
 *
 * @param retryAfterMs what the service asks for, in milliseconds
 */
export function nextPause(
	limit: Limit | undefined,
	{ tried, waitedMs }: Count,
	retryAfterMs = 0,
): number | undefined {
	if (!limit || tried >= (limit.tries ?? Infinity)) return undefined;
	const leftMs = limit.totalMs - waitedMs;
	const backoffMs = Math.min(limit.longestMs, limit.firstMs * 2 ** (tried - 1)) * (1 - Math.random() / 2);
	const pauseMs = Math.max(retryAfterMs, Math.round(backoffMs));
	if (pauseMs <= leftMs) return pauseMs;
	return limit.isShortened === true && leftMs > 0 ? leftMs : undefined;
}

/** Counts tries and pauses of each kind of error. */
export class Tries {
	private readonly counts = new Map<ErrorKind, Count>();

	/** What follows an error, which counts as a try; see {@link nextPause}. */
	nextPause(policy: Policy, kind: ErrorKind, retryAfterMs?: number): number | undefined {
		const count = this.counts.get(kind) ?? { tried: 0, waitedMs: 0 };
		this.counts.set(kind, count);
		count.tried++;
		const pauseMs = nextPause(policy[kind], count, retryAfterMs);
		count.waitedMs += pauseMs ?? 0;
		return pauseMs;
	}
}

/** A Retry-After header in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when absent or unreadable. */
export function retryAfterMs(header = ''): number | undefined {
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
