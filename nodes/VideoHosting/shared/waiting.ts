import { sleep } from 'n8n-workflow';

/**
 * Waits, and ends early when the execution is cancelled. n8n before 2.x knows `sleep` without a signal, so the signal is
 * watched here as well.
 *
 * @param ms milliseconds
 * @throws the signal's reason when it was aborted
 */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
	await raceSignal(sleep(ms, signal), signal);
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
	return await Promise.race([promise, aborted]).finally(() => {
		signal.removeEventListener('abort', onAbort);
	});
}

/** Serializes its callers, in the order of arrival. */
export class Lock {
	/** Lets in who has the lock, then those that wait. */
	private line: Array<() => void> = [];

	get isFree(): boolean {
		return this.line.length === 0;
	}

	/**
	 * @param signal ends the wait
	 * @returns releases the lock; called again, it does nothing
	 * @throws the signal's reason when it was aborted
	 */
	async enter(signal?: AbortSignal): Promise<() => void> {
		let letIn = () => {};
		const entered = new Promise<void>((resolve) => (letIn = resolve));
		const leave = () => {
			this.line = this.line.filter((other) => other !== letIn);
			this.line[0]?.();
		};
		this.line.push(letIn);
		this.line[0]?.();
		await raceSignal(entered, signal).catch((error: unknown) => {
			leave();
			throw error;
		});
		return leave;
	}
}

/**
 * Milliseconds since then, also when the system's clock has been set back.
 *
 * @param at milliseconds since 1970
 */
export function ageOf(at: number): number {
	return Math.abs(Date.now() - at);
}
