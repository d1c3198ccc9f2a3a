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

/** The date that is so many milliseconds from now, in UTC, as the service writes it: `YYYY-MM-DD HH:mm:ss`. */
export function dateIn(ms: number): string {
	return new Date(Date.now() + ms).toISOString().slice(0, 19).replace('T', ' ');
}
