import type { INodeParameters } from 'n8n-workflow';

import { activeTrigger, type TriggerSetup } from '../execution/pollNode';
import type { Fault } from '../fakeService';
import { hashesOf, watchedPlanForEachTest, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;
watchedPlanForEachTest((started) => (plan = started));

const on = 'eventSearchAll';

describe('publishing the workflow', () => {
	it.each<[string, Fault]>([
		['429', { kind: 'status', on, times: 99, status: 429, headers: { 'Retry-After': '60' } }],
		['503 on signing in', { kind: 'status', on: 'authenticate', times: 99, status: 503 }],
		['a web page', { kind: 'status', on, times: 99, status: 200, body: '<!doctype html><p>Down' }],
		[
			'a web page on signing in',
			{ kind: 'status', on: 'authenticate', times: 99, status: 200, body: '<!doctype html><p>Down' },
		],
	])(
		'succeeds although the service returns %s, which the log names; the next poll is the first one',
		async (_answer, fault) => {
			plan.service.injectFault(fault);
			const trigger = await activeTrigger({ service: plan.service });
			expect(await trigger.poll()).toBeNull();
			expect(trigger.log).toEqual([
				expect.stringMatching(/^warn: The first poll after the activation failed/),
			]);
			plan.service.clearFaults();
			expect(await trigger.poll()).toBeNull();
			const changed = plan.change([11], 'LIVE');
			expect(hashesOf(await trigger.poll())).toEqual(changed);
		},
	);

	it('hides one failure only: the next poll that fails is a failed execution', async () => {
		await plan.service.goDown();
		const trigger = await activeTrigger({ service: plan.service });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await plan.service.comeBack();
	});

	const forbidden: Fault = { kind: 'status', on, times: 20, status: 403, error: 'Plan is not yours' };
	it.each<[string, Partial<TriggerSetup>, Fault[], RegExp]>([
		[
			'the password is wrong',
			{ credential: { password: 'wrong' } },
			[],
			/Signing in .* failed \(401\).* Check /,
		],
		['the token may not be used', {}, [forbidden], /Plan is not yours\. Check /],
		[
			'the plan does not exist',
			{ parameters: { options: { planId: 'none' } } },
			[],
			/Plan not found\. Check Plan ID/,
		],
	])(
		'fails with the reason and what to do when %s, but not when n8n starts',
		async (_when, setup, faults, message) => {
			for (const fault of faults) plan.service.injectFault(fault);
			const trigger = await activeTrigger({ service: plan.service, ...setup });
			await expect(trigger.poll()).rejects.toThrow(message);

			for (const fault of faults) plan.service.injectFault(fault);
			const started = await activeTrigger({ service: plan.service, ...setup, activation: 'init' });
			expect(await started.poll()).toBeNull();
			if (faults.length === 0) await expect(started.poll()).rejects.toThrow();
		},
	);

	it.each<[INodeParameters, RegExp]>([
		[{ options: { events: 'abc, https://x.example/e' } }, /^Event Names or IDs "https:.*" is not a hash/],
		[{ fromStatus: ['LIVE'], toStatus: ['LIVE'] }, /From Status and To Status are both LIVE/],
		[{ toStatus: '={{ [] }}' }, /^To Status is empty/],
		...['={{ [] }}', '={{ "" }}', []].map((events): [INodeParameters, RegExp] => [
			{ options: { events } },
			/^Event Names or IDs is empty/,
		]),
		[{ options: { scheduledWithinDays: '={{ "" }}' } }, /^Scheduled Within Days is empty/],
		...[
			'={{ "" }}',
			{ __rl: true, mode: 'name', value: '={{ "" }}' },
			{ __rl: true, mode: 'list', value: '' },
		].map((folder): [INodeParameters, RegExp] => [
			{ triggerOn: 'videoAdded', options: { folder } },
			/^Folder is empty/,
		]),
	])('with the parameters %j fails before anything is sent', async (parameters, message) => {
		const trigger = await activeTrigger({ service: plan.service, parameters });
		await expect(trigger.poll()).rejects.toThrow(message);
		expect(plan.service.requests).toHaveLength(0);
	});
});
