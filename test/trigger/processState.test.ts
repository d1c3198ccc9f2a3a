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

	it.each([
		['before', true],
		['after', false],
	])(
		'reports the change that a poll of the activation before has read, whose items n8n discards, when it ends %s it',
		async (_, endsBefore) => {
			const workflowId = randomUUID();
			const first = await activate(workflowId);
			await first.poll();
			const stored = first.staticData();
			const changed = plan.change([3], 'LIVE');
			plan.service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 200 });
			const before = plan.service.requests.length;
			const discarded = first.poll();
			await plan.service.until(() => plan.service.requests.length > before);
			first.deactivate();
			if (endsBefore) expect(await discarded).toBeNull();
			const second = await activate(workflowId, stored);
			expect(await second.poll()).toBeNull();
			expect(await discarded).toBeNull();
			await clockAhead(MINUTE_MS, async () => expect(hashesOf(await second.poll())).toEqual(changed));
		},
	);

	it('repeats nothing of a poll that was still running then, whose items n8n 1 emits', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		await first.poll();
		const stored = first.staticData();
		const changed = plan.change([3], 'LIVE');
		plan.service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 200 });
		const before = plan.service.requests.length;
		const late = first.poll();
		await plan.service.until(() => plan.service.requests.length > before);
		const second = await activate(workflowId, stored);
		expect(await second.poll()).toBeNull();
		expect(hashesOf(await late)).toEqual(changed);
		await clockAhead(MINUTE_MS, async () => expect(await second.poll()).toBeNull());
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
