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

/** Who holds a lock, or waits for it. */
interface Caller {
	grant: () => void;
	/** Asked each time that the lock could be lent. */
	mayBorrow: () => boolean;
}

/** Serializes its callers, in the order of arrival. Its holder may lend it for a pause, and keeps its place. */
export class Lock {
	/** The holder of the lock, then the callers that wait. */
	private line: Caller[] = [];

	private isLent = false;

	/** One of the line, behind the holder. */
	private borrower: Caller | undefined;

	private onReturned = () => {};

	get isFree(): boolean {
		return this.line.length === 0;
	}

	/** Whether the caller that has been let in is no holder, but a borrower. */
	get isBorrowed(): boolean {
		return this.borrower !== undefined;
	}

	/**
	 * @param signal ends the wait
	 * @param mayBorrow whether the caller may pass while the lock is lent
	 * @returns releases the lock
	 * @throws the signal's reason when it was aborted
	 */
	async enter(signal?: AbortSignal, mayBorrow = () => false): Promise<() => void> {
		let leave = () => {};
		const granted = new Promise<void>((grant) => {
			const caller = { grant, mayBorrow };
			this.line.push(caller);
			leave = () => {
				this.remove(caller);
			};
		});
		this.grantNext();
		await raceSignal(granted, signal).catch((error: unknown) => {
			leave();
			throw error;
		});
		return leave;
	}

	/**
	 * Lends the lock, to one caller at a time, until the pause is over and the last borrower has left. For the holder alone.
	 *
	 * @param pausing what the holder waits for
	 * @param signal ends the wait for the borrower
	 * @throws what `pausing` is rejected with; the signal's reason when it was aborted
	 */
	async lend(pausing: Promise<void>, signal?: AbortSignal): Promise<void> {
		this.isLent = true;
		this.grantNext();
		await pausing.finally(() => {
			this.isLent = false;
		});
		if (!this.borrower) return;
		const returned = new Promise<void>((resolve) => {
			this.onReturned = resolve;
		});
		await raceSignal(returned, signal);
	}

	private grantNext(): void {
		const [holder, ...others] = this.line;
		holder?.grant();
		if (this.isLent) this.borrower ??= others.find(({ mayBorrow }) => mayBorrow());
		this.borrower?.grant();
	}

	private remove(caller: Caller): void {
		const [holder, ...others] = this.line;
		if (caller === this.borrower) {
			this.borrower = undefined;
			this.onReturned();
		} else if (caller === holder && this.borrower) {
			// The holder was cancelled: who has borrowed the lock holds it now.
			this.line = [caller, this.borrower, ...others.filter((other) => other !== this.borrower)];
			this.borrower = undefined;
		}
		this.line = this.line.filter((other) => other !== caller);
		this.grantNext();
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
