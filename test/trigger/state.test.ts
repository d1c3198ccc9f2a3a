import { randomUUID } from 'node:crypto';

import { clockAhead, HOUR_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import { hashesOf, polls, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

it('the state is plain JSON under the name of the node, with what is compared of each event and without a secret', async () => {
	plan.service.state.events.splice(2);
	const trigger = await plan.activated();
	await trigger.poll();
	const [first, second] = plan.events;
	expect(JSON.parse(trigger.staticData())).toEqual({
		'node:Video Hosting Trigger': {
			state: {
				scope: expect.any(String),
				at: expect.any(Number),
				known: { [first?.hash ?? '']: 'WAITING_LIVE', [second?.hash ?? '']: 'WAITING_LIVE' },
				missing: {},
				isUnconfirmed: false,
			},
		},
	});
	for (const secret of [plan.service.settings.plans['plan-1001'], plan.service.credential.applicationId])
		expect(trigger.staticData()).not.toContain(secret);
});

it.each([
	['the last page cannot be read', { kind: 'status', status: 500, error: 'Internal error', skip: 4 }],
	['a gateway answers 404 within the list', { kind: 'status', status: 404, body: '<html>', skip: 3 }],
	['requests are limited', { kind: 'status', status: 429, headers: { 'Retry-After': '60' }, skip: 2 }],
	['the connection breaks', { kind: 'reset', skip: 2, times: 9 }],
] as const)('a poll fails and leaves the state as it was when %s', async (_when, fault) => {
	const trigger = await plan.activated();
	const before = trigger.staticData();
	const changed = plan.change([0, 33], 'LIVE');
	plan.service.injectFault({ times: 9, ...fault, on: 'eventSearchAll' });
	await expect(trigger.poll()).rejects.toThrow();
	expect(trigger.staticData()).toBe(before);
	plan.service.clearFaults();
	expect(hashesOf(await trigger.poll())).toEqual(changed);
});

describe('a poll that begins while another one runs', () => {
	/** Begins a poll, and returns once its first request has arrived. */
	async function beginPoll(trigger: { poll(): Promise<unknown> }) {
		const { service } = plan;
		service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 300 });
		const before = service.requestsOf('eventSearchAll').length;
		const running = trigger.poll();
		await service.until(() => service.requestsOf('eventSearchAll').length > before);
		return { running };
	}

	it('is skipped without a request, also after the workflow was published again', async () => {
		const workflowId = randomUUID();
		const trigger = await activeTrigger({ service: plan.service, workflowId });
		await trigger.poll();
		const changed = plan.change([8], 'LIVE');
		const { running } = await beginPoll(trigger);
		const requests = plan.service.requests.length;
		expect(await trigger.poll()).toBeNull();
		trigger.deactivate();
		const again = await activeTrigger({ service: plan.service, workflowId, staticData: trigger.saved() });
		expect(await again.poll()).toBeNull();
		expect(plan.service.requests).toHaveLength(requests);
		expect(await running).toBeNull();
		expect(hashesOf(await again.poll())).toEqual(changed);
	});

	it('is not skipped with other settings: what changes after publishing is reported', async () => {
		const workflowId = randomUUID();
		const trigger = await activeTrigger({ service: plan.service, workflowId });
		await trigger.poll();
		const { running } = await beginPoll(trigger);
		const parameters = { toStatus: ['LIVE'] };
		const other = await activeTrigger({ service: plan.service, workflowId, parameters });
		await other.poll();
		const changed = plan.change([8], 'LIVE');
		expect(hashesOf(await other.poll())).toEqual(changed);
		await running;
	});

	it('is not skipped when the other one is of another trigger in the same plan', async () => {
		const [one, other] = [await plan.activated(), await plan.activated()];
		const changed = plan.change([8], 'LIVE');
		const { running } = await beginPoll(one);
		expect(hashesOf(await other.poll())).toEqual(changed);
		await running;
	});
});

describe('an event that is not listed', () => {
	async function relistedAfter(hours: number) {
		const trigger = await plan.activated({ triggerOn: 'eventCreated' });
		const [missing] = plan.service.state.events.splice(7, 1);
		expect(await trigger.poll()).toBeNull();
		return await clockAhead(hours * HOUR_MS, async () => {
			expect(await trigger.poll()).toBeNull();
			plan.service.state.events.push(...(missing ? [missing] : []));
			return hashesOf(await polls(trigger, 2));
		});
	}

	it('stays known for 24 hours', async () => {
		expect(await relistedAfter(23)).toEqual([]);
	});

	it('is new after that', async () => {
		expect(await relistedAfter(25)).toEqual([plan.events[7]?.hash]);
	});
});

it('a manual test changes no state', async () => {
	const trigger = await plan.activated();
	const staticData = trigger.staticData();
	plan.change([3], 'LIVE');
	expect(await fetchTestEvent({ service: plan.service, staticData })).toMatchObject({ staticData });
});
