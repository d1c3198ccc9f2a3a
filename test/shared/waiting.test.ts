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
}, 30_000);

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

it('A lock that is lent lets in one caller at a time that may borrow it, and its holder keeps its place', async () => {
	const lock = new Lock();
	const order: string[] = [];
	let endPause = () => {};
	const pausing = new Promise<void>((resolve) => (endPause = resolve));
	const work = async (name: string, mayBorrow: boolean) => {
		const leave = await lock.enter(undefined, () => mayBorrow);
		order.push(`${name} in`);
		if (name === 'first') others.push(work('second', true));
		if (name === 'second') {
			endPause();
			others.push(work('late', true));
		}
		await sleep(5);
		order.push(`${name} out`);
		leave();
	};
	const leave = await lock.enter();
	const others = [work('new', false), work('first', true)];
	await lock.lend(pausing);
	order.push('holder');
	leave();
	await Promise.all(others);
	const inAndOut = (...names: string[]) => names.flatMap((name) => [`${name} in`, `${name} out`]);
	expect(order).toEqual([...inAndOut('first', 'second'), 'holder', ...inAndOut('new', 'late')]);
});

it('A borrower keeps a lock whose holder is cancelled', async () => {
	const lock = new Lock();
	const cancel = new AbortController();
	const leave = await lock.enter();
	const lending = lock.lend(pause(10_000, cancel.signal));
	const returned = await lock.enter(undefined, () => true);
	let isIn = false;
	const next = lock.enter().then((leaveNext) => {
		isIn = true;
		leaveNext();
	});
	cancel.abort();
	await expect(lending).rejects.toMatchObject({ name: 'AbortError' });
	leave();
	await sleep(5);
	expect(isIn).toBe(false);
	returned();
	await next;
});
