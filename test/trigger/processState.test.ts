import { randomUUID } from 'node:crypto';

import { clockAhead, HOUR_MS, MINUTE_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent, type ActiveTrigger } from '../execution/pollNode';
import { hashesOf, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

/** An activation of the same workflow in the same process. */
async function activate(workflowId: string, staticData?: string): Promise<ActiveTrigger> {
	return await activeTrigger({ service: plan.service, workflowId, staticData });
}

describe('a workflow that is activated again in the same process', () => {
	it('repeats nothing although an execution has stored older static data, and the clock was set back', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		await clockAhead(HOUR_MS, async () => await first.poll());
		const older = first.staticData();
		const changed = plan.change([3], 'LIVE');
		expect(hashesOf(await first.poll())).toEqual(changed);
		const again = await activate(workflowId, older);
		expect(await clockAhead(MINUTE_MS, async () => await again.poll())).toBeNull();
	});

	it('continues with static data that another process has stored since', async () => {
		const workflowId = randomUUID();
		const here = await activate(workflowId);
		await here.poll();
		const elsewhere = await activeTrigger({ service: plan.service, staticData: here.staticData() });
		const changed = plan.change([3], 'LIVE');
		expect(hashesOf(await elsewhere.poll())).toEqual(changed);

		const again = await activate(workflowId, elsewhere.staticData());
		expect(await again.poll()).toBeNull();
		const next = plan.change([3], 'ON_DEMAND');
		expect(hashesOf(await again.poll())).toEqual(next);
	});

	/** Begins a poll, and returns once its first request has arrived. */
	const begin = async (trigger: ActiveTrigger) => {
		const { service } = plan;
		service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 300 });
		const before = service.requestsOf('eventSearchAll').length;
		const running = trigger.poll();
		await service.until(() => service.requestsOf('eventSearchAll').length > before);
		return { running };
	};

	it.each([
		['n8n 2, before the activation', true, true],
		['n8n 2, after the activation', true, false],
		['n8n 1, after the activation', false, false],
	])(
		'reports once what a poll of the activation before has read that ends in %s',
		async (_, discards, endsBefore) => {
			const workflowId = randomUUID();
			const first = await activate(workflowId);
			await first.poll();
			const stored = first.staticData();
			const changed = plan.change([3], 'LIVE');
			const { running } = await begin(first);
			if (discards) first.deactivate();
			if (endsBefore) await running;
			// n8n stores the static data of a workflow also for another trigger in it.
			expect(first.staticData()).toBe(stored);
			const second = await activate(workflowId, stored);
			const reported = [await second.poll(), await running];
			await clockAhead(MINUTE_MS, async () => reported.push(await second.poll()));
			expect(reported.flatMap((items) => hashesOf(items) ?? [])).toEqual(changed);
		},
	);

	it.each([true, false])(
		'with other settings while a poll of the old ones runs has its baseline at once (n8n discards that poll: %s)',
		async (discards) => {
			const { service } = plan;
			const workflowId = randomUUID();
			const parameters = { triggerOn: 'eventUpdated' };
			const first = await activeTrigger({ service, workflowId, parameters });
			await first.poll();
			const staticData = first.staticData();
			const { running } = await begin(first);
			if (discards) first.deactivate();
			const unknown = { options: { events: ['nosuchhash1'] } };
			const invalid = await activeTrigger({ service, workflowId, parameters: unknown, staticData });
			await expect(invalid.poll()).rejects.toThrow('nosuchhash1');
			const second = await activate(workflowId, staticData);
			expect(await second.poll()).toBeNull();
			const changed = plan.change([3], 'LIVE');
			expect(await running).toBeNull();
			await clockAhead(MINUTE_MS, async () => expect(hashesOf(await second.poll())).toEqual(changed));
		},
	);

	it('keeps its baseline where n8n does not commit the durable cursor of an activation', async () => {
		const setup = { service: plan.service, workflowId: randomUUID(), durableCursor: true };
		expect(await (await activeTrigger(setup)).poll()).toBeNull();
		const changed = plan.change([3], 'LIVE');
		const scheduled = await activeTrigger({ ...setup, budgetMs: 36_000 });
		expect(hashesOf(await scheduled.poll())).toEqual(changed);
	});

	it('with other settings begins with a silent baseline, also when it returns to the first ones', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		await first.poll();
		const staticData = first.staticData();
		const parameters = { toStatus: ['LIVE'] };
		const other = await activeTrigger({ service: plan.service, workflowId, parameters, staticData });
		expect(await other.poll()).toBeNull();
		plan.change([3], 'LIVE');
		const back = await activate(workflowId, staticData);
		expect(await back.poll()).toBeNull();
	});
});

it('a manual test changes neither static data nor the state in the process', async () => {
	const workflowId = randomUUID();
	const trigger = await activate(workflowId);
	await trigger.poll();
	const changed = plan.change([3], 'LIVE');
	const stored = trigger.staticData();
	const { staticData } = await fetchTestEvent({ service: plan.service, workflowId, staticData: stored });
	expect(staticData).toBe(stored);
	expect(hashesOf(await trigger.poll())).toEqual(changed);
});
