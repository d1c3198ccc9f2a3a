import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

describe('when the status of an event changes', () => {
	it('returns the record with both statuses and the time, and no secret', async () => {
		const [event] = service.seedEvents(3);
		if (!event) throw new Error('no event');
		const trigger = await activeTrigger({ service });
		expect(await trigger.poll()).toBeNull();

		service.setEventStatus(event.hash, 'LIVE');
		const before = Date.now();
		const items = await trigger.poll();

		expect(items).toEqual([
			{ ...event, previousStatus: 'WAITING_LIVE', status: 'LIVE', changedAt: expect.any(String) },
		]);
		const changedAt = items?.[0]?.changedAt as string; // checked just above
		expect(new Date(changedAt).toISOString()).toBe(changedAt);
		expect(Date.parse(changedAt)).toBeGreaterThanOrEqual(before);

		const left = JSON.stringify([items, trigger.staticData(), trigger.log]);
		expect(left).not.toContain(service.settings.plans['plan-1001']);
		expect(left).not.toContain(service.credential.password);
		expect(await trigger.poll()).toBeNull();
	});

	it('returns every change once, in the order of the schedule', async () => {
		Object.assign(service.settings, { pageSizeCap: 2 });
		const [first, second, third] = service.seedEvents([
			{ dateScheduled: '2030-01-03 10:00:00' },
			{ dateScheduled: '2030-01-01 10:00:00' },
			{ dateScheduled: '2030-01-02 10:00:00' },
		]);
		const trigger = await activeTrigger({ service });
		await trigger.poll();
		for (const { hash } of service.state.events) service.setEventStatus(hash, 'LIVE');
		expect(hashesOf(await trigger.poll())).toEqual([second?.hash, third?.hash, first?.hash]);
		for (const { hash } of service.state.events) service.setEventStatus(hash, 'ON_DEMAND');
		expect(hashesOf(await trigger.poll())).toEqual([second?.hash, third?.hash, first?.hash]);
		expect(await trigger.poll()).toBeNull();
	});

	it('returns the changes that pass the filter, and compares with the status before in any case', async () => {
		const [event] = service.seedEvents(1);
		if (!event) throw new Error('no event');
		const parameters = { fromStatus: ['WAITING_LIVE'], toStatus: ['LIVE'] };
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();

		const steps: Array<['ON_DEMAND' | 'WAITING_LIVE' | 'LIVE', boolean]> = [
			['LIVE', true],
			['ON_DEMAND', false],
			['LIVE', false],
			['WAITING_LIVE', false],
			['LIVE', true],
		];
		for (const [status, isTold] of steps) {
			service.setEventStatus(event.hash, status);
			expect([status, (await trigger.poll()) !== null]).toEqual([status, isTold]);
		}
	});

	it.each([
		[{}, true],
		[{ toStatus: ['LIVE'] }, true],
		[{ fromStatus: ['WAITING_LIVE'] }, true],
		[{ fromStatus: ['ON_DEMAND', 'WAITING_LIVE'], toStatus: ['LIVE', 'ON_DEMAND'] }, true],
		[{ fromStatus: ['ON_DEMAND'] }, false],
		[{ toStatus: ['ON_DEMAND'] }, false],
	])(
		'with %j returns an event that was created and went live since the last poll: %s',
		async (filter, is) => {
			service.seedEvents(2);
			const trigger = await activeTrigger({ service, parameters: filter });
			await trigger.poll();
			const [added] = service.seedEvents([{ status: 'LIVE' }]);
			const change = { hash: added?.hash, previousStatus: null, status: 'LIVE' };
			expect((await trigger.poll()) ?? []).toMatchObject(is ? [change] : []);
			expect(await trigger.poll()).toBeNull();
		},
	);
});
