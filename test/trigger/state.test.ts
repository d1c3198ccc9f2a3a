import { randomUUID } from 'node:crypto';

import { clockAhead, HOUR_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import { hashesOf, polls, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

it('the state is plain JSON in the static data of the node, without a secret', async () => {
	const trigger = await plan.activated();
	const stored = trigger.staticData();
	expect(Object.keys(JSON.parse(stored) as object)).toEqual(['node:Video Hosting Trigger']);
	for (const { hash } of plan.events) expect(stored).toContain(hash);
	const { service } = plan;
	const { applicationId, password } = service.credential;
	for (const secret of [service.settings.plans['plan-1001'], applicationId, password])
		expect(stored).not.toContain(secret);
	for (const request of service.requestsOf('eventSearchAll'))
		expect(stored).not.toContain(request.headers.authorization?.replace('Bearer ', ''));
});

it.each([
	['the last page cannot be read', { kind: 'status', status: 500, error: 'Internal error', skip: 4 }],
	['requests are limited', { kind: 'status', status: 429, headers: { 'Retry-After': '60' }, skip: 2 }],
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

it.each([
	[23, 'is the same one', []],
	[25, 'is a new one', [7]],
])('an event that is listed again after %i hours %s', async (hours, _what, created) => {
	const trigger = await plan.activated({ triggerOn: 'eventCreated' });
	const missing = plan.service.state.events.splice(7, 1);
	expect(await trigger.poll()).toBeNull();
	await clockAhead(hours * HOUR_MS, async () => {
		expect(await trigger.poll()).toBeNull();
		plan.service.state.events.push(...missing);
		expect((await polls(trigger, 2)).map(({ hash }) => hash)).toEqual(
			created.map((place) => plan.events[place]?.hash),
		);
	});
});
