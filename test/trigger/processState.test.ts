import { randomUUID } from 'node:crypto';

import * as fc from 'fast-check';

import { activeTrigger, fetchTestEvent, type ActiveTrigger } from '../execution/pollNode';
import { hashesOf, startWatchedPlan, statusChange, StatusReports, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;

beforeEach(async () => {
	plan = await startWatchedPlan();
});

afterEach(async () => {
	await plan.service.close();
});

/** An activation of the same workflow in the same process. */
async function activate(workflowId: string, staticData?: string): Promise<ActiveTrigger> {
	return await activeTrigger({ service: plan.service, workflowId, staticData });
}

describe('a workflow that is activated again in the same process', () => {
	it('repeats nothing although an execution has stored older static data', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		expect(await first.poll()).toBeNull();
		const older = first.staticData();
		const changed = plan.change([3], 'LIVE');
		expect(hashesOf(await first.poll())).toEqual(changed);

		const second = await activate(workflowId, older);
		expect(await second.poll()).toBeNull();
		// n8n stores static data after the activation: a restart finds the newest state.
		const restarted = await activeTrigger({ service: plan.service, staticData: second.staticData() });
		expect(await restarted.poll()).toBeNull();
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

	it('reports the change of a poll that was still running then, whose items n8n discards', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		await first.poll();
		const stored = first.staticData();
		const changed = plan.change([3], 'LIVE');
		plan.service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 200 });
		const before = plan.service.requests.length;
		const discarded = first.poll();
		await plan.service.until(() => plan.service.requests.length > before);
		const second = await activate(workflowId, stored);
		expect(await second.poll()).toBeNull();
		await discarded;

		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000);
		try {
			expect(hashesOf(await second.poll())).toEqual(changed);
		} finally {
			now.mockRestore();
		}
	});

	it('with other settings begins with a silent baseline, also when it returns to the first ones', async () => {
		const workflowId = randomUUID();
		const first = await activate(workflowId);
		await first.poll();
		const parameters = { toStatus: ['LIVE'] };
		const other = await activeTrigger({
			service: plan.service,
			workflowId,
			parameters,
			staticData: first.staticData(),
		});
		expect(await other.poll()).toBeNull();
		plan.change([3], 'LIVE');
		const back = await activate(workflowId, first.staticData());
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

it('every change is reported exactly once, whatever happens to static data and to the clock', async () => {
	const step = fc.oneof(
		{ weight: 4, arbitrary: statusChange },
		{ weight: 3, arbitrary: fc.constant('poll' as const) },
		{ weight: 1, arbitrary: fc.record({ clockBy: fc.integer({ min: -5_000_000, max: 5_000_000 }) }) },
		{ weight: 2, arbitrary: fc.record({ activatedWithStaticData: fc.nat({ max: 99 }) }) },
		{ weight: 1, arbitrary: fc.constant('restart' as const) },
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
			let clock = 0;
			const realNow = Date.now;
			const now = jest.spyOn(Date, 'now').mockImplementation(() => realNow() + clock);
			try {
				let workflowId = randomUUID();
				let trigger = await activate(workflowId);
				expect(await trigger.poll()).toBeNull();
				const reports = new StatusReports(plan.events);
				/** Every static data that this workflow ever had: an execution may have started with it. */
				let history = [trigger.staticData()];
				for (const next of steps) {
					if (typeof next === 'object' && 'place' in next) {
						plan.change([next.place], next.status);
						continue;
					}
					if (typeof next === 'object' && 'clockBy' in next) {
						clock += next.clockBy;
						continue;
					}
					if (typeof next === 'object') {
						const older = history[next.activatedWithStaticData % history.length];
						trigger = await activate(workflowId, older);
					}
					if (next === 'restart') {
						const saved = history.at(-1);
						workflowId = randomUUID();
						trigger = await activate(workflowId, saved);
						history = saved === undefined ? [] : [saved];
					}
					reports.check(await trigger.poll());
					history.push(trigger.staticData());
				}
			} finally {
				now.mockRestore();
			}
		}),
		{ numRuns: 40 },
	);
}, 60_000);
