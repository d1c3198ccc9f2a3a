import { pause } from './waiting';

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

/** How often something is tried, and the pauses between. */
export interface Backoff {
	/** Most tries, including the first one; any number by default. */
	tries?: number;
	/** The first pause; each next one is twice as long. Milliseconds. */
	firstMs: number;
	/** The longest pause by doubling, in milliseconds. Retry-After may ask for a longer one. */
	longestBackoffMs: number;
	/** Whether a pause longer than the time left is shortened; by default, it ends the tries. */
	isShortened?: boolean;
}

/** How often and how long something is tried again after errors of one kind. */
export interface Limit extends Backoff {
	/** Most time of all pauses together, without the tries between; milliseconds. */
	totalMs: number;
}

/** After a kind without a limit, nothing is tried again. */
export type Policy = Partial<Record<ErrorKind, Limit>>;

/**
 * The pause before the next try, in milliseconds; undefined when there is none. Pauses differ, so that several clients do not retry at the
 * same moment.
 *
 * @param tried how often it was tried, at least once
 * @param leftMs how long the pause may take, in milliseconds
 * @param retryAfterMs what the service asks for, in milliseconds
 */
export function nextPause(
	limit: Backoff,
	{ tried, leftMs, retryAfterMs = 0 }: { tried: number; leftMs: number; retryAfterMs?: number },
): number | undefined {
	if (tried >= (limit.tries ?? Infinity)) return undefined;
	const doubledMs = Math.min(limit.longestBackoffMs, limit.firstMs * 2 ** (tried - 1));
	const pauseMs = Math.max(retryAfterMs, Math.round(doubledMs * (1 - Math.random() / 2)));
	if (pauseMs <= leftMs) return pauseMs;
	return limit.isShortened === true && leftMs > 0 ? leftMs : undefined;
}

/** Counts tries and pauses of each kind of error. */
export class Tries {
	private readonly counts = new Map<ErrorKind, { tried: number; pausedMs: number }>();

	/** @param deadline no pause ends later, by `performance.now()` */
	constructor(private readonly deadline = Infinity) {}

	/** What follows an error, which counts as a try; see {@link nextPause}. */
	nextPause(policy: Policy, kind: ErrorKind, retryAfterMs?: number): number | undefined {
		const limit = policy[kind];
		if (!limit) return undefined;
		const count = this.counts.get(kind) ?? { tried: 0, pausedMs: 0 };
		this.counts.set(kind, count);
		count.tried++;
		const leftMs = Math.min(limit.totalMs - count.pausedMs, Math.ceil(this.deadline - performance.now()));
		const pauseMs = nextPause(limit, { tried: count.tried, leftMs, retryAfterMs });
		count.pausedMs += pauseMs ?? 0;
		return pauseMs;
	}
}

/** What an error of {@link retry} means, and what ends its tries. */
interface RetryOptions {
	kindOf: (error: unknown) => ErrorKind;
	/** What the service asks for, in milliseconds. */
	retryAfterOf?: (error: unknown) => number | undefined;
	/** See {@link Tries}. */
	deadline?: number;
	/** Ends the pauses; `work` watches it by itself. */
	signal?: AbortSignal;
}

/**
 * Tries until one try succeeds, or its error has no further one.
 *
 * @throws what `work` has thrown last; the signal's reason when it was aborted in a pause
 */
export async function retry<T>(policy: Policy, work: () => Promise<T>, options: RetryOptions): Promise<T> {
	const { kindOf, retryAfterOf, deadline, signal } = options;
	const tries = new Tries(deadline);
	for (;;) {
		const done = await work().then(
			(result) => ({ result }),
			async (error: unknown) => {
				const pauseMs = tries.nextPause(policy, kindOf(error), retryAfterOf?.(error));
				if (pauseMs === undefined) throw error;
				await pause(pauseMs, signal);
			},
		);
		if (done) return done.result;
	}
}

/** A Retry-After header in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when absent or unreadable. */
export function retryAfterMs(header = ''): number | undefined {
	if (/^\d+$/.test(header)) return Number(header) * 1000;
	const date = Date.parse(header);
	return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
