import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMilliseconds = 100;

/**
 * Calls `read` until it returns a value, for events that n8n does not announce. Throws after `deadlineMilliseconds`;
 * `waitingFor` completes the sentence "Waited … s for".
 *
 * @param pausePart of the time waited so far that each pause lasts: each call costs n8n time and memory, which matters where
 * these are measured
 */
export async function poll<T>(
	waitingFor: string,
	deadlineMilliseconds: number,
	read: () => Promise<T | undefined> | T | undefined,
	pausePart = 0,
): Promise<T> {
	const started = Date.now();
	for (;;) {
		const result = await read();
		if (result !== undefined) return result;
		const waited = Date.now() - started;
		if (waited > deadlineMilliseconds) {
			throw new Error(`Waited ${deadlineMilliseconds / 1000} s for ${waitingFor}`);
		}
		await sleep(Math.max(shortestPauseMilliseconds, waited * pausePart));
	}
}
