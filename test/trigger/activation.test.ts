import type { INodeParameters } from 'n8n-workflow';

import { activeTrigger, type TriggerSetup } from '../execution/pollNode';
import type { Fault } from '../fakeService';
import { hashesOf, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

describe('activation', () => {
	const on = 'eventSearchAll';
	const shortlyDown: Array<[string, Fault]> = [
		['429', { kind: 'status', on, times: 3, status: 429, headers: { 'Retry-After': '60' } }],
		['503', { kind: 'status', on, times: 3, status: 503, headers: { 'Retry-After': '60' } }],
		['a reset connection', { kind: 'reset', on, times: 3 }],
		['503 on signing in', { kind: 'status', on: 'authenticate', times: 3, status: 503 }],
		['429 on signing in', { kind: 'status', on: 'authenticate', times: 3, status: 429 }],
		['a web page', { kind: 'status', on, status: 200, body: '<!doctype html><p>Down' }],
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
		const staticData = (await plan.activated()).saved();
		await plan.service.goDown();
		const scheduled = await activeTrigger({ service: plan.service, staticData, budgetMs: 36_000 });
		await expect(scheduled.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await plan.service.comeBack();
	});

	const forbidden: Fault = { kind: 'status', on, times: 2, status: 403, error: 'Plan is not yours' };
	it.each<[string, Partial<TriggerSetup>, Fault[], RegExp]>([
		['the password is wrong', { credential: { password: 'wrong' } }, [], /Signing in .* failed \(401\)/],
		['the token may not be used', {}, [forbidden], /Plan is not yours/],
		['the plan does not exist', { parameters: { options: { planId: 'none' } } }, [], /Plan not found/],
	])('fails with the words of the service when %s', async (_when, setup, faults, message) => {
		for (const fault of faults) plan.service.injectFault(fault);
		const trigger = await activeTrigger({ service: plan.service, ...setup });
		await expect(trigger.poll()).rejects.toThrow(message);
		// When n8n starts, it would not poll any more.
		for (const fault of faults) plan.service.injectFault(fault);
		const started = await activeTrigger({ service: plan.service, ...setup, activation: 'init' });
		expect(await started.poll()).toBeNull();
		if (faults.length === 0) await expect(started.poll()).rejects.toThrow(message);
	});

	it.each<[INodeParameters, RegExp]>([
		[{ options: { events: 'abc, https://x.example/e' } }, /^Event Names or IDs "https:.*" is not a hash/],
		[{ options: { events: 'abc,,def' } }, /^Event Names or IDs "abc,,def" has an empty element/],
		[{ options: { scheduledWithinDays: 0 } }, /^Scheduled Within Days "0" is not a number above 0/],
		[{ fromStatus: ['LIVE'], toStatus: ['LIVE'] }, /From Status and To Status are both LIVE/],
		[{ triggerOn: 'eventStartsSoon', minutesBefore: 0 }, /^Minutes Before "0" is not a number/],
		[{ triggerOn: 'eventStartsSoon', minutesBefore: '' }, /^Minutes Before is empty/],
		[
			{ triggerOn: 'eventStartsSoon', options: { timezone: 'Mars/Phobos' } },
			/^Time Zone "Mars\/Phobos" is unknown/,
		],
	])('with the parameters %j fails before anything is sent', async (parameters, message) => {
		const trigger = await activeTrigger({ service: plan.service, parameters });
		await expect(trigger.poll()).rejects.toThrow(message);
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

it('another plan in the credential is noticed without a new activation, and begins with a silent baseline', async () => {
	plan.service.seedEvents([{ planId: 'plan-2002', status: 'WAITING_LIVE' }]);
	const trigger = await plan.activated();
	plan.change([1], 'LIVE');
	Object.assign(trigger.credentialStore.stored, { planId: 'plan-2002' });
	expect(await trigger.poll()).toBeNull();
	expect(plan.service.requests.at(-1)?.query).toMatchObject({ planId: 'plan-2002' });
});
