import { TRIGGER_ON } from '../../nodes/VideoHosting/trigger/fields';
import { clockAhead, MINUTE_MS } from '../execution/clock';
import { activeTrigger } from '../execution/pollNode';
import { hashesOf, polls, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

it('a poll with an old password fails, and the next one continues when the password is corrected', async () => {
	const trigger = await plan.activated();
	const changed = plan.change([1], 'LIVE');
	plan.service.settings.password = 'another one';
	plan.service.expireTokens();
	await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'credential-invalid' } });
	Object.assign(trigger.credentialStore.stored, { password: 'another one' });
	expect(hashesOf(await trigger.poll())).toEqual(changed);
});

describe('an empty list', () => {
	it.each(['list', 'null', '404'] as const)(
		'of a plan without events (%s) is a baseline like any other',
		async (emptyList) => {
			plan.service.settings.emptyList = emptyList;
			plan.service.state.events = [];
			const trigger = await plan.activated({ triggerOn: 'eventCreated' });
			// An empty list may be a failure, so the next poll confirms it.
			expect(await trigger.poll()).toBeNull();
			const [created] = plan.service.seedEvents(1);
			expect(hashesOf(await trigger.poll())).toEqual([created?.hash]);
		},
	);

	it.each(TRIGGER_ON.filter((value) => value !== 'eventStartsSoon'))(
		'returned once while the workflow is published is no baseline of %s: what was there is not reported',
		async (triggerOn) => {
			plan.service.seedVideos(35);
			const on = triggerOn === 'videoAdded' ? ('videoList' as const) : ('eventSearchAll' as const);
			plan.service.injectFault({ kind: 'status', on, status: 200, body: '[]', times: 2 });
			const trigger = await plan.activated({ triggerOn });
			plan.service.clearFaults();
			expect(await polls(trigger, 3)).toEqual([]);
		},
	);
});

describe('a limit of requests', () => {
	/** Lets so many requests through, until the next minute begins. */
	function limitRequests(requests: number): void {
		plan.service.clearFaults();
		const on = ['eventSearchAll' as const];
		const headers = { 'Retry-After': '60' };
		plan.service.injectFault({ kind: 'status', on, skip: requests, times: 9_999, status: 429, headers });
	}

	it('is spread over several polls: the baseline gets complete, and changes are reported', async () => {
		plan.service.seedEvents(200);
		limitRequests(10);
		const trigger = await plan.activated();
		for (let poll = 1; poll <= 10; poll++) {
			limitRequests(10);
			expect(await trigger.poll()).toBeNull();
		}
		const changed = plan.change([0, 12, 34], 'LIVE');
		const reported: unknown[] = [];
		for (let poll = 1; poll <= 6; poll++) {
			limitRequests(10);
			reported.push(...(hashesOf(await trigger.poll()) ?? []));
		}
		expect(reported.sort()).toEqual(changed.sort());
	});

	it('that lets no request through counts anew when the workflow is published again', async () => {
		const setup = { service: plan.service, workflowId: 'limited' };
		const first = await activeTrigger(setup);
		await first.poll();
		limitRequests(0);
		expect(await first.poll()).toBeNull();
		await clockAhead(61 * MINUTE_MS, async () => {
			const second = await activeTrigger({ ...setup, staticData: first.saved() });
			expect(await polls(second, 2)).toEqual([]);
		});
	});

	it('that lets no request through changes nothing, is named in the log, and is an error after an hour', async () => {
		const trigger = await plan.activated();
		const before = trigger.staticData();
		const changed = plan.change([3], 'LIVE');
		limitRequests(0);
		expect(await trigger.poll()).toBeNull();
		expect(trigger.staticData()).toBe(before);
		expect(trigger.log).toEqual([expect.stringMatching(/^warn: The service could not be read; .*429/)]);
		await clockAhead(61 * MINUTE_MS, async () => {
			await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'rate-limited' } });
			plan.service.clearFaults();
			expect(hashesOf(await trigger.poll())).toEqual(changed);
			limitRequests(0);
			expect(await trigger.poll()).toBeNull();
		});
	});
});
