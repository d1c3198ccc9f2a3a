import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

it('an event that is updated is reported with its record and what it was, without the secret', async () => {
	const [event] = service.seedEvents(3);
	const parameters = { triggerOn: 'eventUpdated' };
	const trigger = await activeTrigger({ service, parameters });
	await trigger.poll();
	const previous = { title: event?.title, dateScheduled: event?.dateScheduled };
	Object.assign(event ?? {}, { title: 'Town hall', dateScheduled: '2031-02-03 04:05:06', status: 'LIVE' });
	expect(await trigger.poll()).toEqual([
		{ ...event, previous, changedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
	]);
	expect(await trigger.poll()).toBeNull();
	const { items } = await fetchTestEvent({ service, parameters });
	expect(items).toMatchObject([
		{ hash: event?.hash, previous: { title: 'Town hall', dateScheduled: '2031-02-03 04:05:06' } },
	]);
});
