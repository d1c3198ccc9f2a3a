import { raceSignal } from './pause';

/** Lets one pass after the other, in the order of arrival. */
export class Lock {
	/** The one that has the lock, and those who wait for it. */
	private line: Array<() => void> = [];

	get isFree(): boolean {
		return this.line.length === 0;
	}

	/**
	 * @param signal ends the wait
	 * @returns leaves the lock to the next one
	 * @throws the signal's reason when it was aborted
	 */
	async enter(signal?: AbortSignal): Promise<() => void> {
		let leave = () => {};
		const granted = new Promise<void>((grant) => {
			this.line.push(grant);
			leave = () => {
				this.line = this.line.filter((other) => other !== grant);
				this.line[0]?.();
			};
		});
		this.line[0]?.();
		await raceSignal(granted, signal).catch((error: unknown) => {
			leave();
			throw error;
		});
		return leave;
	}
}
