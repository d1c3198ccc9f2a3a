import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { sleep } from 'n8n-workflow';

import { anySignal, Lock, pause, raceSignal } from '../../nodes/VideoHosting/shared/waiting';

it('A timeout to which only a combined signal refers ends a wait, although memory is collected meanwhile', async () => {
	setFlagsFromString('--expose-gc');
	const collect = runInNewContext('gc') as () => void;
	const ended = anySignal(AbortSignal.timeout(100), new AbortController().signal, undefined);
	const wait = async () => {
		for (let waits = 0; waits < 100; waits++) {
			await raceSignal(sleep(5), ended);
			collect();
		}
	};
	await expect(wait()).rejects.toMatchObject({ name: 'TimeoutError' });
});

it('A wait whose signal was aborted before it begins ends at once', async () => {
	await expect(raceSignal(sleep(1_000), AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
});

it('A wait that is cancelled leaves no timer', async () => {
	const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
	const before = timers();
	const controller = new AbortController();
	const waiting = pause(60_000, controller.signal);
	controller.abort();
	await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
	expect(timers()).toBe(before);
});

it('A lock lets in one caller at a time, in the order of arrival, without those that no longer wait', async () => {
	const lock = new Lock();
	const order: string[] = [];
	const work = async (name: string, signal?: AbortSignal) => {
		const leave = await lock.enter(signal);
		order.push(`${name} in`);
		await sleep(5);
		order.push(`${name} out`);
		leave();
	};
	const cancel = new AbortController();
	const working = [work('first'), work('cancelled', cancel.signal), work('second')];
	cancel.abort();
	await Promise.allSettled(working);
	expect(order).toEqual(['first in', 'first out', 'second in', 'second out']);
	expect(lock.isFree).toBe(true);
});
