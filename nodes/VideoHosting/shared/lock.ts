import { raceSignal } from './pause';

/** Serializes its callers, in the order of arrival. */
export class Lock {
	/** The holder of the lock, then the callers that wait. */
	private line: Array<() => void> = [];

	get isFree(): boolean {
		return this.line.length === 0;
	}

	/**
	 * @param signal ends the wait
	 * @returns releases the lock
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
