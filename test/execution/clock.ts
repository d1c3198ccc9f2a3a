export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** Runs something while the system's clock is ahead by so many milliseconds, or behind. */
export async function clockAhead<T>(ms: number, run: () => Promise<T>): Promise<T> {
	const real = Date.now.bind(Date);
	const now = jest.spyOn(Date, 'now').mockImplementation(() => real() + ms);
	try {
		return await run();
	} finally {
		now.mockRestore();
	}
}

/** Processor time of this process since then, in milliseconds, which a busy machine makes no longer; without a then, since its start. */
export function processorMs(since = 0): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1_000 - since;
}

/**
 * From now on until the end of the test, pauses of exactly so many milliseconds end when they are told to.
 *
 * @param begins called when one begins, with what ends it
 */
export function onPause(ms: number, begins: (end: () => void) => void): void {
	const wait = globalThis.setTimeout;
	const held = (end: () => void, delay?: number) => {
		if (delay !== ms) return wait(end, delay);
		begins(end);
		return wait(() => {}, 0);
	};
	// The package waits with n8n's `sleep`, which passes no arguments on.
	jest.spyOn(globalThis, 'setTimeout').mockImplementation(held as typeof setTimeout);
}

/** The date that is so many milliseconds from now, in UTC, as the service writes it: `YYYY-MM-DD HH:mm:ss`. */
export function dateIn(ms: number): string {
	return new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ');
}
