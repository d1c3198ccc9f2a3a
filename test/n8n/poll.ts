import { setTimeout as sleep } from 'node:timers/promises';

const shortestPauseMilliseconds = 100;

/**
 * Asks again and again until there is an answer, for what n8n does not announce. Throws once `deadlineMilliseconds` have
 * passed; `waitingFor` completes the sentence "Waited … s for".
 *
 * @param pausePart of the time waited so far that each pause takes: asking costs n8n time and memory, which matters where
 * these are measured
 */
export async function poll<Answer>(
	waitingFor: string,
	deadlineMilliseconds: number,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
	pausePart = 0,
): Promise<Answer> {
	const started = Date.now();
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		const waited = Date.now() - started;
		if (waited > deadlineMilliseconds) {
			throw new Error(`Waited ${deadlineMilliseconds / 1000} s for ${waitingFor}`);
		}
		await sleep(Math.max(shortestPauseMilliseconds, waited * pausePart));
	}
}
