import { clockAhead, MINUTE_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import { hashesOf, polls, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

describe('polls that overlap', () => {
	it('do not double when n8n’s durable scheduler catches up with several at once, each with a copy of the memory', async () => {
		const trigger = await plan.activated();
		const changed = plan.change([8, 30], 'LIVE');
		const setup = {
			service: plan.service,
			workflowId: 'one',
			staticData: trigger.saved(),
			budgetMs: 36_000,
		};
		const scheduled = await Promise.all([1, 2, 3].map(async () => await activeTrigger(setup)));
		const reported = await Promise.all(scheduled.map(async (one) => await one.poll()));
		expect(reported.flatMap((items) => hashesOf(items) ?? [])).toEqual(changed);

		const beforeN8nHasWrittenIt = await activeTrigger(setup);
		expect(await beforeN8nHasWrittenIt.poll()).toBeNull();

		const winner = scheduled[reported.findIndex((items) => items !== null)];
		const next = plan.change([8], 'ON_DEMAND');
		const later = await activeTrigger({ ...setup, staticData: winner?.saved() });
		expect(hashesOf(await later.poll())).toEqual(next);
	});

	it('leave a change to a later poll when n8n did not commit the cursor of the one that reported it', async () => {
		const trigger = await plan.activated();
		const changed = plan.change([8], 'LIVE');
		const setup = {
			service: plan.service,
			workflowId: 'two',
			staticData: trigger.saved(),
			budgetMs: 36_000,
			durableCursor: true,
		};
		const poll = async () => hashesOf(await (await activeTrigger(setup)).poll());
		expect(await poll()).toEqual(changed);
		expect(await clockAhead(MINUTE_MS, poll)).toEqual(changed);
	});

	it('continue when one is older than its budget, and what it still returns is not used', async () => {
		const trigger = await plan.activated();
		const first = plan.change([8], 'LIVE');
		plan.service.injectFault({ kind: 'hang', on: 'eventSearchAll' });
		const requests = plan.service.requests.length;
		const hanging = trigger.poll().catch((error: unknown) => error);
		await plan.service.until(() => plan.service.requests.length > requests);
		expect(await trigger.poll()).toBeNull();

		await clockAhead(6 * MINUTE_MS, async () => {
			expect(hashesOf(await trigger.poll())).toEqual(first);
			const state = trigger.staticData();
			const second = plan.change([9], 'LIVE');
			expect(hashesOf(await trigger.poll())).toEqual(second);
			expect(trigger.staticData()).not.toBe(state);
			const newest = trigger.staticData();
			// The connection breaks: the poll that was given up reads the list again.
			await plan.service.goDown();
			await plan.service.comeBack();
			expect(await hanging).toBeNull();
			expect(trigger.staticData()).toBe(newest);
			expect(await trigger.poll()).toBeNull();
		});
	});

	it('that was given up and then fails ends quietly: the one that replaced it reports what still fails', async () => {
		const trigger = await plan.activated();
		plan.service.injectFault({ kind: 'delay', on: 'eventSearchAll', ms: 300 });
		plan.service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 404, error: 'Plan not found' });
		const requests = plan.service.requests.length;
		const failing = trigger.poll();
		await plan.service.until(() => plan.service.requests.length > requests);
		await clockAhead(6 * MINUTE_MS, async () => {
			expect(await trigger.poll()).toBeNull();
			expect(await failing).toBeNull();
		});
	});
});

describe('a poll without time for the whole list', () => {
	it('reports what it read, and the next ones continue where it stopped', async () => {
		const trigger = await plan.activated();
		const changed = plan.change([0, 15, 33], 'LIVE');
		const short = await activeTrigger({ service: plan.service, staticData: trigger.saved(), budgetMs: -1 });
		const reported: unknown[] = [];
		for (let poll = 1; poll <= 5; poll++) {
			const requests = plan.service.requestsOf('eventSearchAll').length;
			reported.push(...(hashesOf(await short.poll()) ?? []));
			// The first page is found again by each poll, which takes pages 1 and 0.
			expect(plan.service.requestsOf('eventSearchAll').length - requests).toBeLessThanOrEqual(3);
		}
		expect(reported).toEqual(changed);
	});

	it.each(['eventCreated', 'eventDeleted'])(
		'gets to the end of a list whose service ignores the page number: %s',
		async (triggerOn) => {
			plan.service.state.events = [];
			Object.assign(plan.service.settings, { pageNumberIgnored: true, pageSizeCap: 0 });
			const gone = plan.service.seedEvents(1_200).at(1_100);
			const { service } = plan;
			const trigger = await activeTrigger({ service, parameters: { triggerOn }, budgetMs: -1 });
			expect(await polls(trigger, 9)).toEqual([]);
			service.state.events.splice(1_100, 1);
			const [created] = service.seedEvents(1);
			const expected = triggerOn === 'eventCreated' ? created : gone;
			expect(hashesOf(await polls(trigger, 9))).toEqual([expected?.hash]);
		},
	);

	it('reports no event as new before the list was the same in two complete readings', async () => {
		const parameters = { triggerOn: 'eventCreated' };
		const trigger = await activeTrigger({ service: plan.service, parameters, budgetMs: -1 });
		expect(await polls(trigger, 10)).toEqual([]);
		const [created] = plan.service.seedEvents([{ dateScheduled: '2000-01-01 00:00:00' }]);
		expect(hashesOf(await trigger.poll())).toEqual([created?.hash]);
	});
});

it('works in an n8n that names no budget', async () => {
	const trigger = await activeTrigger({ service: plan.service, olderN8n: true });
	await trigger.poll();
	const changed = plan.change([8], 'LIVE');
	expect(hashesOf(await trigger.poll())).toEqual(changed);
});
