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
	/** Who has the lock, then the callers that wait. A lender comes right behind its borrower. */
	private line: Caller[] = [];

	private lender: Caller | undefined;

	/** Whether the lender still pauses. */
	private isLent = false;

	get isFree(): boolean {
		return this.line.length === 0;
	}

	/** Whether the caller that has been let in is no holder, but a borrower. */
	get isBorrowed(): boolean {
		return this.lender !== undefined && this.line[0] !== this.lender;
	}

	/**
	 * @param signal ends the wait
	 * @param mayBorrow whether the caller may pass while the lock is lent
	 * @returns releases the lock
	 * @throws the signal's reason when it was aborted
	 */
	async enter(signal?: AbortSignal, mayBorrow = () => false): Promise<() => void> {
		const caller = { grant: () => {}, mayBorrow };
		const leave = () => {
			this.line = this.line.filter((other) => other !== caller);
			this.grantNext();
		};
		this.line.push(caller);
		await this.turnOf(caller, signal).catch((error: unknown) => {
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
		const [lender] = this.line;
		this.lender = lender;
		this.isLent = true;
		this.grantNext();
		try {
			await pausing.finally(() => {
				this.isLent = false;
			});
			if (lender) await this.turnOf(lender, signal);
		} finally {
			this.lender = undefined;
		}
	}

	/** Waits until a caller is the first of the line. */
	private async turnOf(caller: Caller, signal: AbortSignal | undefined): Promise<void> {
		const granted = new Promise<void>((grant) => {
			caller.grant = grant;
		});
		this.grantNext();
		await raceSignal(granted, signal);
	}

	private grantNext(): void {
		const [first, ...others] = this.line;
		const borrower = this.isLent && first === this.lender && others.find(({ mayBorrow }) => mayBorrow());
		if (borrower) this.line = [borrower, ...this.line.filter((other) => other !== borrower)];
		this.line[0]?.grant();
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
