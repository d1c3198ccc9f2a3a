import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10, defaultPageSize: 10 });

it.each(['eventCreated', 'videoAdded'])(
	'%s reports nothing because of a deletion while the baseline is read',
	async (triggerOn) => {
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

it.each([
	[{ triggerOn: 'eventCreated' }, { title: 'A', status: 'LIVE' }, /neither a hash nor an ID/],
	[{ triggerOn: 'eventStatusChanged' }, { hash: 'abc', title: 'A' }, /have no hash or no status/],
	[
		{ options: { scheduledWithinDays: 2 } },
		{ hash: 'abc', status: 'LIVE' },
		/no readable date, so Scheduled Within Days cannot be applied$/,
	],
	[
		{ triggerOn: 'eventStartsSoon' },
		{ hash: 'abc', dateScheduled: '05/01/2030 12:00' },
		/no readable date, so it is not known when they start$/,
	],
])('%j fails where records cannot be compared: %j', async (parameters, record, message) => {
	const body = JSON.stringify([record]);
	service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 200, body, times: 9 });
	const trigger = await activeTrigger({ service, parameters });
	await expect(trigger.poll()).rejects.toThrow(message);
});
