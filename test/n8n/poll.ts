import { setTimeout as sleep } from 'node:timers/promises';

const everyMilliseconds = 100;

/**
 * Asks again and again until there is an answer, for what n8n does not announce. Throws once `deadlineMilliseconds` have
 * passed; `waitingFor` completes the sentence "Waited … s for".
 */
export async function poll<Answer>(
	waitingFor: string,
	deadlineMilliseconds: number,
	ask: () => Promise<Answer | undefined> | Answer | undefined,
): Promise<Answer> {
	const deadline = Date.now() + deadlineMilliseconds;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline) throw new Error(`Waited ${deadlineMilliseconds / 1000} s for ${waitingFor}`);
		await sleep(everyMilliseconds);
	}
}
