import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Calls `read` until it returns a value, for events that n8n does not announce. Throws after `deadlineMilliseconds`;
 * `waitingFor` completes the sentence "Waited … s for".
 */
export async function poll<T>(
	waitingFor: string,
	deadlineMilliseconds: number,
	read: () => Promise<T | undefined> | T | undefined,
	pauseMilliseconds = 100,
): Promise<T> {
	const deadline = Date.now() + deadlineMilliseconds;
	for (;;) {
		const result = await read();
		if (result !== undefined) return result;
		if (Date.now() > deadline) throw new Error(`Waited ${deadlineMilliseconds / 1000} s for ${waitingFor}`);
		await sleep(pauseMilliseconds);
	}
}
