import * as fc from 'fast-check';

import { activeTrigger } from '../execution/pollNode';
import type { Fault } from '../fakeService';
import { hashesOf, startWatchedPlan, statusChange, StatusReports, type WatchedPlan } from './watchedPlan';

let plan: WatchedPlan;

beforeEach(async () => {
	plan = await startWatchedPlan();
});

afterEach(async () => {
	await plan.service.close();
});

describe('a poll that fails', () => {
	const on = 'eventSearchAll';
	const faults: Array<[string, Fault, object]> = [
		[
			'500 on a later page',
			{ kind: 'status', on, skip: 2, times: 3, status: 500, error: 'Internal Server Error' },
			{
				message: expect.stringContaining('Internal Server Error'),
				failure: { cause: 'temporarily-unavailable' },
			},
		],
		[
			'429 with Retry-After',
			{ kind: 'status', on, skip: 1, status: 429, error: 'Slow down', headers: { 'Retry-After': '120' } },
			{
				message: expect.stringContaining('Slow down'),
				failure: { cause: 'rate-limited', retryAfterMs: 120_000 },
			},
		],
		[
			'a connection that is reset',
			{ kind: 'reset', on, skip: 1, times: 3 },
			{ failure: { cause: 'temporarily-unavailable' } },
		],
		[
			'a web page instead of a list',
			{ kind: 'status', on, skip: 3, status: 200, body: '<html><body>Maintenance</body></html>' },
			{ message: expect.stringContaining('web page'), failure: { cause: 'temporarily-unavailable' } },
		],
		['an empty response', { kind: 'status', on, status: 200, body: '' }, { message: expect.any(String) }],
		['garbage', { kind: 'status', on, skip: 1, status: 200, body: '{"events": "none", "n' }, {}],
		[
			'an object without a list',
			{ kind: 'status', on, skip: 1, status: 200, body: '{"message":"hello"}' },
			{ failure: { cause: 'temporarily-unavailable' } },
		],
	];

	it.each(faults)(
		'with %s throws, leaves the state unchanged, and the next poll reports everything',
		async (_name, fault, expected) => {
			const trigger = await plan.activated();
			const before = trigger.staticData();
			const changed = plan.change([0, 12, 34], 'LIVE');

			plan.service.injectFault(fault);
			await expect(trigger.poll()).rejects.toMatchObject(expected);
			expect(trigger.staticData()).toBe(before);
			expect(trigger.staticDataChanged()).toBe(false);

			plan.service.clearFaults();
			expect(hashesOf(await trigger.poll())).toEqual(changed);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it.each([401, 403] as const)(
		'is not one whose token expires between requests and is rejected with %i',
		async (expiredTokenStatus) => {
			plan.service.settings.expiredTokenStatus = expiredTokenStatus;
			const trigger = await plan.activated();
			const changed = plan.change([3, 30], 'LIVE');
			plan.service.injectFault({ kind: 'expireToken', on, skip: 2 });
			expect(hashesOf(await trigger.poll())).toEqual(changed);
		},
	);

	it('with an old password fails, and continues when the password is corrected', async () => {
		const trigger = await plan.activated();
		const changed = plan.change([1], 'LIVE');
		plan.service.settings.password = 'another one';
		plan.service.expireTokens();
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'credential-invalid' } });
		Object.assign(trigger.credentialStore.stored, { password: 'another one' });
		expect(hashesOf(await trigger.poll())).toEqual(changed);
	});
});

describe('an empty list', () => {
	it('does not wipe the memory', async () => {
		const trigger = await plan.activated();
		const all = plan.service.state.events;
		plan.service.state.events = [];
		expect(await trigger.poll()).toBeNull();
		plan.service.state.events = all;
		const changed = plan.change([2], 'LIVE');
		expect(hashesOf(await trigger.poll())).toEqual(changed);
	});

	it.each(['list', 'null', '404'] as const)(
		'of a plan without events (%s) is a baseline like any other',
		async (emptyList) => {
			plan.service.settings.emptyList = emptyList;
			plan.service.state.events = [];
			const trigger = await plan.activated({ triggerOn: 'eventCreated' });
			const [created] = plan.service.seedEvents(1);
			expect(hashesOf(await trigger.poll())).toEqual([created?.hash]);
		},
	);
});

it('reports every change exactly once over any course of changes, faults and restarts', async () => {
	const step = fc.oneof(
		{ weight: 4, arbitrary: statusChange },
		{ weight: 3, arbitrary: fc.constant('poll' as const) },
		{ weight: 1, arbitrary: fc.constantFrom('fails' as const, 'restarts' as const, 'tokenExpires' as const) },
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			let trigger = await plan.activated();
			const reports = new StatusReports(plan.events);
			for (const next of steps) {
				if (typeof next === 'object') {
					plan.change([next.place], next.status);
				} else if (next === 'fails') {
					plan.service.injectFault({
						kind: 'status',
						on: 'eventSearchAll',
						skip: 2,
						status: 409,
						error: 'Conflict',
					});
					await expect(trigger.poll()).rejects.toThrow('Conflict');
				} else {
					if (next === 'tokenExpires')
						plan.service.injectFault({ kind: 'expireToken', on: 'eventSearchAll', skip: 1 });
					if (next === 'restarts')
						trigger = await activeTrigger({ service: plan.service, staticData: trigger.saved() });
					reports.check(await trigger.poll());
				}
			}
		}),
		{ numRuns: 30 },
	);
});
