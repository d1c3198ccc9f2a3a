import { activeTrigger } from '../execution/pollNode';
import type { Fault } from '../fakeService';
import { hashesOf, startWatchedPlan, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;

beforeEach(async () => {
	plan = await startWatchedPlan();
});

afterEach(async () => {
	await plan.service.close();
});

describe('activation', () => {
	const shortlyDown: Array<[string, Fault]> = [
		[
			'429',
			{ kind: 'status', on: 'eventSearchAll', times: 3, status: 429, headers: { 'Retry-After': '60' } },
		],
		[
			'503',
			{ kind: 'status', on: 'eventSearchAll', times: 3, status: 503, headers: { 'Retry-After': '60' } },
		],
		['a reset connection', { kind: 'reset', on: 'eventSearchAll', times: 3 }],
		['503 on signing in', { kind: 'status', on: 'authenticate', times: 3, status: 503 }],
		['429 on signing in', { kind: 'status', on: 'authenticate', times: 3, status: 429 }],
		['a reset connection on signing in', { kind: 'reset', on: 'authenticate', times: 3 }],
		['a web page', { kind: 'status', on: 'eventSearchAll', status: 200, body: '<!doctype html><p>Down' }],
	];
	it.each(shortlyDown)(
		'succeeds although the service returns %s; the next poll is the silent baseline',
		async (_name, fault) => {
			plan.service.injectFault(fault);
			const trigger = await activeTrigger({ service: plan.service });
			expect(await trigger.poll()).toBeNull();
			expect(trigger.staticDataChanged()).toBe(false);
			expect(trigger.log).toEqual([
				expect.stringMatching(/^warn: The service could not be read at activation/),
			]);

			plan.service.clearFaults();
			expect(await trigger.poll()).toBeNull();
			const changed = plan.change([11], 'LIVE');
			expect(hashesOf(await trigger.poll())).toEqual(changed);
		},
	);

	it('ignores one failure only: the next poll that fails throws', async () => {
		await plan.service.goDown();
		const trigger = await activeTrigger({ service: plan.service });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await plan.service.comeBack();
	});

	it('on n8n’s durable scheduler, where each poll has a context of its own, does not hide a failed poll', async () => {
		const trigger = await plan.activated();
		await plan.service.goDown();
		const scheduled = await activeTrigger({
			service: plan.service,
			staticData: trigger.saved(),
			budgetMs: 36_000,
		});
		await expect(scheduled.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await plan.service.comeBack();
	});

	it('fails with the words of the service when the password is wrong', async () => {
		const trigger = await activeTrigger({ service: plan.service, credential: { password: 'wrong' } });
		await expect(trigger.poll()).rejects.toThrow(/Signing in .* failed \(401\)/);
	});

	it('fails when the token may not be used', async () => {
		plan.service.injectFault({
			kind: 'status',
			on: 'eventSearchAll',
			times: 2,
			status: 403,
			error: 'Plan is not yours',
		});
		const trigger = await activeTrigger({ service: plan.service });
		await expect(trigger.poll()).rejects.toThrow(/Plan is not yours/);
	});

	it('fails when the plan does not exist', async () => {
		const trigger = await activeTrigger({
			service: plan.service,
			parameters: { options: { planId: 'no-such-plan' } },
		});
		await expect(trigger.poll()).rejects.toThrow(/Plan not found/);
	});

	it.each([
		[{ options: { events: 'abc, https://x.example/e' } }, /^Event Names or IDs "https:.*" is not a hash/],
		[{ options: { events: 'abc def' } }, /^Event Names or IDs "abc def" is not a hash/],
		[{ options: { events: 'abc,,def' } }, /^Event Names or IDs "abc,,def" has an empty element/],
		[{ options: { scheduledWithinDays: 0 } }, /^Scheduled Within Days "0" is not a number above 0/],
		[
			{ options: { scheduledWithinDays: 'a week' } },
			/^Scheduled Within Days "a week" is not a number from 0 to/,
		],
		[{ fromStatus: ['LIVE'], toStatus: ['LIVE'] }, /From Status and To Status are both LIVE/],
	])('with the parameters %j fails before anything is sent', async (parameters, message) => {
		const trigger = await activeTrigger({ service: plan.service, parameters });
		await expect(trigger.poll()).rejects.toThrow(message);
		expect(plan.service.requests).toHaveLength(0);
	});

	it('without a plan in node and credential fails before anything is sent', async () => {
		const trigger = await activeTrigger({ service: plan.service, credential: { planId: '' } });
		await expect(trigger.poll()).rejects.toThrow('Plan ID is missing');
		expect(plan.service.requests).toHaveLength(0);
	});
});

describe('a restart of n8n', () => {
	it('that finds the service down continues once it is back', async () => {
		const trigger = await plan.activated();
		const changed = plan.change([7], 'LIVE');
		await plan.service.goDown();
		const restarted = await activeTrigger({ service: plan.service, staticData: trigger.saved() });
		expect(await restarted.poll()).toBeNull();
		expect(restarted.staticData()).toBe(trigger.saved());
		await plan.service.comeBack();
		expect(hashesOf(await restarted.poll())).toEqual(changed);
	});

	it('after which the memory cannot be read begins with a silent baseline', async () => {
		const staticData = '{"node:Video Hosting Trigger":{"memory":{"version":1,"known":"?"}}}';
		const restarted = await activeTrigger({ service: plan.service, staticData });
		expect(await restarted.poll()).toBeNull();
		const changed = plan.change([7], 'LIVE');
		expect(hashesOf(await restarted.poll())).toEqual(changed);
	});
});

describe('another', () => {
	const watched = { options: { planId: 'plan-1001' }, toStatus: ['LIVE'] };
	it.each([
		['plan', { ...watched, options: { planId: 'plan-2002' } }],
		['From Status', { ...watched, fromStatus: ['WAITING_LIVE'] }],
		['To Status', { ...watched, toStatus: ['ON_DEMAND', 'LIVE'] }],
		['range of days', { ...watched, options: { scheduledWithinDays: 9999 } }],
		['Trigger On', { ...watched, triggerOn: 'eventCreated' }],
	])('%s begins with a silent baseline', async (_name, parameters) => {
		plan.service.seedEvents([{ planId: 'plan-2002' }]);
		const trigger = await plan.activated(watched);
		plan.change([1, 2], 'LIVE');
		const other = await activeTrigger({ service: plan.service, parameters, staticData: trigger.saved() });
		expect(await other.poll()).toBeNull();
		expect(other.saved()).not.toBe(trigger.saved());
		expect(await other.poll()).toBeNull();
	});

	it('plan in the credential is noticed without a new activation', async () => {
		plan.service.seedEvents([{ planId: 'plan-2002', status: 'WAITING_LIVE' }]);
		const trigger = await plan.activated();
		plan.change([1], 'LIVE');
		Object.assign(trigger.credentialStore.stored, { planId: 'plan-2002' });
		expect(await trigger.poll()).toBeNull();
		expect(plan.service.requests.at(-1)?.query).toMatchObject({ planId: 'plan-2002' });
	});
});
