import { sleep } from 'n8n-workflow';

/**
 * Waits, and ends early when the execution is cancelled. n8n before 2.x knows `sleep` without a signal, so the signal is
 * watched here as well.
 *
 * @param ms milliseconds
 * @throws the signal's reason when it was aborted
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	signal?.throwIfAborted();
	await raceSignal(sleep(ms), signal);
}

/** What combined signals were made of. Node.js collects a timeout to which only a combined signal refers (nodejs/node#57736). */
const sources = new WeakMap<AbortSignal, AbortSignal[]>();

/** A signal that is aborted with the first of these. */
export function anySignal(...signals: Array<AbortSignal | undefined>): AbortSignal {
	const given = signals.filter((signal) => signal !== undefined);
	const combined = AbortSignal.any(given);
	sources.set(combined, given);
	return combined;
}

/**
 * A promise that a signal ends early. What the promise stands for continues: n8n signs in without a signal, for example.
 *
 * @throws the signal's reason when it was aborted; what the promise is rejected with
 */
export async function raceSignal<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return await promise;
	let onAbort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		onAbort = () => {
			reject(signal.reason as Error);
		};
		signal.addEventListener('abort', onAbort, { once: true });
		if (signal.aborted) onAbort();
	});
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}

/**
 * The pause before try number `attempt` (1, 2, …) of whatever is repeated: doubling from `firstMs` up to `longestMs`, less a random
 * part of up to half, so that several clients do not retry at the same moment. Milliseconds.
 *
 * @param pauses of the policy, see retryPolicy.ts
 * @param leastMs what the service asks for (Retry-After), as far as it is followed
 */
export function backoffDelay(
	attempt: number,
	{ firstMs, longestMs }: { firstMs: number; longestMs: number },
	leastMs = 0,
): number {
	const full = Math.min(longestMs, firstMs * 2 ** (attempt - 1));
	return Math.max(leastMs, Math.round(full / 2 + (Math.random() * full) / 2));
}

/**
 * A Retry-After header in milliseconds: seconds or an HTTP date (RFC 9110, 10.2.3). Undefined when absent or unreadable.
 */
export function retryAfterMs(header: unknown, now: number = Date.now()): number | undefined {
	if (typeof header !== 'string' && typeof header !== 'number') return undefined;
	const text = String(header).trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
