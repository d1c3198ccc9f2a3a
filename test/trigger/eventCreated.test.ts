import { activeTrigger } from '../execution/pollNode';
import { withKnownPaging } from '../execution/knownPaging';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)), { pageSizeCap: 10 });

const parameters = { triggerOn: 'eventCreated' };

describe('when an event is created', () => {
	it('returns its record once and without the plan secret', async () => {
		service.seedEvents(25);
		const trigger = await activeTrigger({ service, parameters });
		expect(await trigger.poll()).toBeNull();
		const [event] = service.seedEvents([{ title: 'Town hall', dateScheduled: '2030-01-05 12:00:00' }]);
		expect(await trigger.poll()).toEqual([
			{
				eventId: event?.eventId,
				hash: event?.hash,
				title: 'Town hall',
				dateScheduled: '2030-01-05 12:00:00',
				planId: 'plan-1001',
				status: 'WAITING_LIVE',
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('with Scheduled Within Days returns an event when it first comes within the range', async () => {
		const trigger = await activeTrigger({
			service,
			parameters: { ...parameters, options: { scheduledWithinDays: 3 } },
		});
		await trigger.poll();
		const inDays = (days: number) =>
			new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
		const [far] = service.seedEvents([{ title: 'far', dateScheduled: inDays(30) }]);
		expect(await trigger.poll()).toBeNull();
		if (far) far.dateScheduled = inDays(2);
		expect(await trigger.poll()).toMatchObject([{ title: 'far' }]);
	});

	it.each(['eventCreated', 'videoAdded'])(
		'%s reports nothing because of a deletion while the baseline is read',
		async (triggerOn) => {
			service.settings.defaultPageSize = 10;
			service.seedEvents(35);
			service.seedVideos(35);
			for (const deletedOnPage of [1, 2, 3]) {
				const trigger = await activeTrigger({ service, parameters: { triggerOn } });
				const on = triggerOn === 'eventCreated' ? 'eventSearchAll' : 'videoList';
				const before = service.requestsOf(on).length;
				service.injectFault({ kind: 'delay', on, skip: deletedOnPage, ms: 60 });
				const baseline = trigger.poll();
				await service.until(() => service.requestsOf(on).length > before + deletedOnPage);
				service.state.events.splice(0, 2);
				service.state.videos.splice(-2, 2);
				expect(await baseline).toBeNull();
				expect(await trigger.poll()).toBeNull();
				const created = triggerOn === 'eventCreated' ? service.seedEvents(1) : service.seedVideos(1);
				expect(await trigger.poll()).toMatchObject([{ hash: created[0]?.hash }]);
			}
		},
	);

	it('rejects a list whose events have neither a hash nor an ID', async () => {
		const body = JSON.stringify([{ title: 'A', status: 'LIVE', dateScheduled: '2030-01-05 12:00:00' }]);
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body, times: 9 });
		const trigger = await activeTrigger({ service, parameters });
		await expect(trigger.poll()).rejects.toThrow(/neither a hash nor an ID/);
	});
});
