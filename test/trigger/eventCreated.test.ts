import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10 });

it('an event that is created is returned once as its record, without the plan secret', async () => {
	service.seedEvents(25);
	const trigger = await activeTrigger({ service, parameters: { triggerOn: 'eventCreated' } });
	expect(await trigger.poll()).toBeNull();
	const [event] = service.seedEvents([{ title: 'Town hall', dateScheduled: '2030-01-05 12:00:00' }]);
	expect(await trigger.poll()).toEqual([
		{
			...{ eventId: event?.eventId, hash: event?.hash, planId: 'plan-1001', status: 'WAITING_LIVE' },
			...{ title: 'Town hall', dateScheduled: '2030-01-05 12:00:00' },
		},
	]);
	expect(await trigger.poll()).toBeNull();
});
