import * as fc from 'fast-check';

import { activeTrigger, type ActiveTrigger } from '../execution/pollNode';
import { startService, type EventStatus, type Fault, type LiveEvent, type RunningService } from '../service';

let service: RunningService;
let events: LiveEvent[];

beforeEach(async () => {
	service = await startService({ pageSizeCap: 10 });
	events = service.seedEvents(35);
});

afterEach(async () => {
	await service.close();
});

const hashes = (items: Array<{ hash?: unknown }> | null) => items?.map(({ hash }) => hash) ?? null;

/** Sets the status of the events at these places and returns their hashes. */
function change(places: number[], status: EventStatus): string[] {
	return places.map((place) => {
		const hash = events[place]?.hash ?? '';
		service.setEventStatus(hash, status);
		return hash;
	});
}

async function activated(parameters = {}): Promise<ActiveTrigger> {
	const trigger = await activeTrigger({ service, parameters });
	expect(await trigger.poll()).toBeNull();
	trigger.staticDataChanged();
	return trigger;
}

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
			'429 that says how long to wait',
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
		[
			'an empty answer',
			{ kind: 'status', on, skip: 1, status: 200, body: '' },
			{ message: expect.any(String) },
		],
		['garbage', { kind: 'status', on, skip: 1, status: 200, body: '{"events": "none", "n' }, {}],
		[
			'an object without a list',
			{ kind: 'status', on, skip: 1, status: 200, body: '{"message":"hello"}' },
			{ failure: { cause: 'temporarily-unavailable' } },
		],
	];

	it.each(faults)(
		'with %s throws, leaves the memory alone, and the next poll tells everything',
		async (_name, fault, expected) => {
			const trigger = await activated();
			const before = trigger.staticData();
			const changed = change([0, 12, 34], 'LIVE');

			service.order(fault);
			await expect(trigger.poll()).rejects.toMatchObject(expected);
			expect(trigger.staticData()).toBe(before);
			expect(trigger.staticDataChanged()).toBe(false);

			service.clearFaults();
			expect(hashes(await trigger.poll())).toEqual(changed);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it.each([401, 403] as const)(
		'is not one whose token expires on the way and is answered %i',
		async (expiredTokenStatus) => {
			service.settings.expiredTokenStatus = expiredTokenStatus;
			const trigger = await activated();
			const changed = change([3, 30], 'LIVE');
			service.order({ kind: 'expireToken', on, skip: 2 });
			expect(hashes(await trigger.poll())).toEqual(changed);
		},
	);

	it('with a password that was changed says so, and goes on when it is corrected', async () => {
		const trigger = await activated();
		const changed = change([1], 'LIVE');
		service.settings.password = 'another one';
		service.expireTokens();
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'credential-invalid' } });
		Object.assign(trigger.credentialStore.stored, { password: 'another one' });
		expect(hashes(await trigger.poll())).toEqual(changed);
	});
});

describe('an empty list', () => {
	it('does not wipe the memory', async () => {
		const trigger = await activated();
		const all = service.state.events;
		service.state.events = [];
		expect(await trigger.poll()).toBeNull();
		service.state.events = all;
		const changed = change([2], 'LIVE');
		expect(hashes(await trigger.poll())).toEqual(changed);
	});

	it.each(['list', 'null', '404'] as const)(
		'of a plan without events (%s) is a baseline like any other',
		async (emptyList) => {
			service.settings.emptyList = emptyList;
			service.state.events = [];
			const trigger = await activated({ triggerOn: 'eventCreated' });
			const [created] = service.seedEvents(1);
			expect(hashes(await trigger.poll())).toEqual([created?.hash]);
		},
	);
});

describe('a restart of n8n', () => {
	it('loses nothing that changed meanwhile and repeats nothing', async () => {
		const trigger = await activated();
		const told = change([4, 5], 'LIVE');
		expect(hashes(await trigger.poll())).toEqual(told);

		const meanwhile = change([5, 20], 'ON_DEMAND');
		const restarted = await activeTrigger({ service, staticData: trigger.saved() });
		expect(hashes(await restarted.poll())).toEqual(meanwhile);
		expect(await restarted.poll()).toBeNull();
	});

	it('that finds the service down goes on once it is back', async () => {
		const trigger = await activated();
		const changed = change([7], 'LIVE');
		await service.goDown();
		const restarted = await activeTrigger({ service, staticData: trigger.saved() });
		expect(await restarted.poll()).toBeNull();
		expect(restarted.staticData()).toBe(trigger.saved());
		await service.comeBack();
		expect(hashes(await restarted.poll())).toEqual(changed);
	});

	it('after which the memory cannot be read begins with a silent baseline', async () => {
		const staticData = '{"node:Video Hosting Trigger":{"memory":{"version":1,"labels":"?"}}}';
		const restarted = await activeTrigger({ service, staticData });
		expect(await restarted.poll()).toBeNull();
		const changed = change([7], 'LIVE');
		expect(hashes(await restarted.poll())).toEqual(changed);
	});
});

describe('activation', () => {
	it('again does not repeat old changes, and tells those made while the workflow was inactive', async () => {
		const trigger = await activated();
		change([1, 2], 'LIVE');
		await trigger.poll();
		const again = await activeTrigger({ service, staticData: trigger.saved() });
		expect(await again.poll()).toBeNull();

		const whileInactive = change([9], 'LIVE');
		const third = await activeTrigger({ service, staticData: again.saved() });
		expect(hashes(await third.poll())).toEqual(whileInactive);
	});

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
		'succeeds although the service answers %s; the next poll is the silent baseline',
		async (_name, fault) => {
			service.order(fault);
			const trigger = await activeTrigger({ service });
			expect(await trigger.poll()).toBeNull();
			expect(trigger.staticDataChanged()).toBe(false);
			expect(trigger.log).toEqual([
				expect.stringMatching(/^warn: The service could not be read at activation/),
			]);

			service.clearFaults();
			expect(await trigger.poll()).toBeNull();
			const changed = change([11], 'LIVE');
			expect(hashes(await trigger.poll())).toEqual(changed);
		},
	);

	it('is forgiving once only: the next poll that fails says so', async () => {
		await service.goDown();
		const trigger = await activeTrigger({ service });
		expect(await trigger.poll()).toBeNull();
		await expect(trigger.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await service.comeBack();
	});

	it('on n8n’s durable scheduler, where each poll has a context of its own, does not hide a failed poll', async () => {
		const trigger = await activated();
		await service.goDown();
		const scheduled = await activeTrigger({ service, staticData: trigger.saved(), budgetMs: 36_000 });
		await expect(scheduled.poll()).rejects.toMatchObject({ failure: { cause: 'temporarily-unavailable' } });
		await service.comeBack();
	});

	it('fails with the words of the service when the password is wrong', async () => {
		const trigger = await activeTrigger({ service, credential: { password: 'wrong' } });
		await expect(trigger.poll()).rejects.toThrow(/Signing in .* failed \(401\)/);
	});

	it('fails when the token may not be used', async () => {
		service.order({
			kind: 'status',
			on: 'eventSearchAll',
			times: 2,
			status: 403,
			error: 'Plan is not yours',
		});
		const trigger = await activeTrigger({ service });
		await expect(trigger.poll()).rejects.toThrow(/Plan is not yours/);
	});

	it('fails when the plan does not exist', async () => {
		const trigger = await activeTrigger({ service, parameters: { planId: 'no-such-plan' } });
		await expect(trigger.poll()).rejects.toThrow(/Plan not found/);
	});

	it.each([
		[{ options: { events: 'abc, ../x' } }, /option Events has "\.\.\/x", which is not a hash/],
		[{ options: { events: 'abc,,def' } }, /nothing between two commas/],
		[{ options: { scheduledWithinDays: 0 } }, /Scheduled Within Days must be a number of days above 0/],
		[
			{ options: { scheduledWithinDays: 'a week' } },
			/Scheduled Within Days must be a number of days above 0/,
		],
		[{ fromStatus: ['LIVE'], toStatus: ['LIVE'] }, /From Status and To Status are both LIVE/],
	])('with the parameters %j fails before anything is sent', async (parameters, message) => {
		const trigger = await activeTrigger({ service, parameters });
		await expect(trigger.poll()).rejects.toThrow(message);
		expect(service.requests).toHaveLength(0);
	});

	it('without a plan in node and credential fails before anything is sent', async () => {
		const trigger = await activeTrigger({ service, credential: { planId: '' } });
		await expect(trigger.poll()).rejects.toThrow('No plan is given');
		expect(service.requests).toHaveLength(0);
	});
});

describe('another', () => {
	const watched = { planId: 'plan-1001', toStatus: ['LIVE'] };
	it.each([
		['plan', { ...watched, planId: 'plan-2002' }],
		['From Status', { ...watched, fromStatus: ['WAITING_LIVE'] }],
		['To Status', { ...watched, toStatus: ['ON_DEMAND', 'LIVE'] }],
		['range of days', { ...watched, options: { scheduledWithinDays: 9999 } }],
		['Trigger On', { ...watched, triggerOn: 'eventCreated' }],
	])('%s begins with a silent baseline', async (_name, parameters) => {
		service.seedEvents([{ planId: 'plan-2002' }]);
		const trigger = await activated(watched);
		change([1, 2], 'LIVE');
		const other = await activeTrigger({ service, parameters, staticData: trigger.saved() });
		expect(await other.poll()).toBeNull();
		expect(other.saved()).not.toBe(trigger.saved());
		expect(await other.poll()).toBeNull();
	});

	it('plan in the credential is noticed without a new activation', async () => {
		service.seedEvents([{ planId: 'plan-2002', status: 'WAITING_LIVE' }]);
		const trigger = await activated();
		change([1], 'LIVE');
		Object.assign(trigger.credentialStore.stored, { planId: 'plan-2002' });
		expect(await trigger.poll()).toBeNull();
		expect(service.requests.at(-1)?.query).toMatchObject({ planId: 'plan-2002' });
	});
});

describe('polls that overlap', () => {
	it('do not double: the second one leaves the work to the first', async () => {
		const trigger = await activated();
		const changed = change([8], 'LIVE');
		service.order({ kind: 'delay', on: 'eventSearchAll', ms: 200 });
		const requests = service.requests.length;
		const first = trigger.poll();
		await service.until(() => service.requests.length > requests);
		expect(await trigger.poll()).toBeNull();
		expect(hashes(await first)).toEqual(changed);
		expect(await trigger.poll()).toBeNull();
	});

	it('go on after one that failed', async () => {
		const trigger = await activated();
		service.order({ kind: 'status', on: 'eventSearchAll', status: 404, error: 'Plan not found' });
		await expect(trigger.poll()).rejects.toThrow('Plan not found');
		const changed = change([8], 'LIVE');
		expect(hashes(await trigger.poll())).toEqual(changed);
	});
});

describe('a poll without time for the whole list', () => {
	it('tells what it saw, and the next ones go on where it stopped', async () => {
		const trigger = await activated();
		const changed = change([0, 15, 33], 'LIVE');
		const short = await activeTrigger({ service, staticData: trigger.saved(), budgetMs: -1 });
		const told: unknown[] = [];
		for (let poll = 1; poll <= 5; poll++) {
			const requests = service.requestsOf('eventSearchAll').length;
			told.push(...(hashes(await short.poll()) ?? []));
			expect(service.requestsOf('eventSearchAll').length - requests).toBe(1);
		}
		expect(told).toEqual(changed);
	});

	it('takes no event for a new one before the list was read to its end once', async () => {
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventCreated' }, budgetMs: -1 });
		for (let poll = 1; poll <= 5; poll++) expect(await trigger.poll()).toBeNull();
		const [created] = service.seedEvents([{ dateScheduled: '2000-01-01 00:00:00' }]);
		expect(hashes(await trigger.poll())).toEqual([created?.hash]);
	});
});

it('works in an n8n that names no budget', async () => {
	const trigger = await activeTrigger({ service, olderN8n: true });
	await trigger.poll();
	const changed = change([8], 'LIVE');
	expect(hashes(await trigger.poll())).toEqual(changed);
});

it('tells every change exactly once over any course of changes, faults and restarts', async () => {
	const step = fc.oneof(
		{
			weight: 4,
			arbitrary: fc.record({
				place: fc.nat({ max: 34 }),
				status: fc.constantFrom<EventStatus>('ON_DEMAND', 'WAITING_LIVE', 'LIVE'),
			}),
		},
		{ weight: 3, arbitrary: fc.constant('poll' as const) },
		{ weight: 1, arbitrary: fc.constantFrom('fails' as const, 'restarts' as const, 'tokenExpires' as const) },
	);
	await fc.assert(
		fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
			let trigger = await activated();
			const known = new Map(events.map(({ hash, status }) => [hash, status]));
			for (const next of steps) {
				if (typeof next === 'object') {
					change([next.place], next.status);
				} else if (next === 'fails') {
					service.order({ kind: 'status', on: 'eventSearchAll', skip: 2, status: 400, error: 'Bad Request' });
					await expect(trigger.poll()).rejects.toThrow('Bad Request');
				} else {
					if (next === 'tokenExpires') service.order({ kind: 'expireToken', on: 'eventSearchAll', skip: 1 });
					if (next === 'restarts') trigger = await activeTrigger({ service, staticData: trigger.saved() });
					const expected = events
						.filter(({ hash, status }) => known.get(hash) !== status)
						.map(({ hash, status }) => ({ hash, status, previousStatus: known.get(hash) }));
					expect((await trigger.poll()) ?? []).toMatchObject(expected);
					for (const { hash, status } of events) known.set(hash, status);
				}
			}
		}),
		{ numRuns: 30 },
	);
});
