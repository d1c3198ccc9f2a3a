import { KINDS } from '../../nodes/VideoHosting/trigger/kinds';
import { DAY_MS, dateIn } from '../execution/clock';
import { fetchTestEvent } from '../execution/pollNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { sceneOf, seedLatest, TRIGGER_ON } from './scenes';

serviceForEachTest({ pageSizeCap: 10 });

describe('Fetch Test Event', () => {
	it.each(TRIGGER_ON)('of %s shows the latest record in the form of the trigger', async (triggerOn) => {
		seedLatest(service);
		const { items, staticData } = await fetchTestEvent({ service, parameters: { triggerOn } });
		expect(items).toEqual([expect.objectContaining(sceneOf(triggerOn).sample)]);
		expect(JSON.stringify(items)).not.toContain(service.settings.plans['plan-1001']);
		expect(staticData).toBe('{}');
	});

	it('reads no further than to the newest video in the folder', async () => {
		const [folder] = service.seedFolders(1);
		const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
		service.seedVideos(
			Array.from({ length: 200 }, (_, days) => ({ createdDate: daysAgo(days), folder: folder?.uuid })),
		);
		const options = { folder: { __rl: true, mode: 'list', value: folder?.uuid ?? '' } };
		const { items } = await fetchTestEvent({ service, parameters: { triggerOn: 'videoAdded', options } });
		expect(items).toMatchObject([{ hash: service.state.videos[0]?.hash }]);
		expect(service.requestsOf('videoList')).toHaveLength(1);
	});

	it('shows the newest video also of a service that ignores the order', async () => {
		Object.assign(service.settings, { videoOrderByIgnored: true });
		seedLatest(service);
		const { items } = await fetchTestEvent({ service, parameters: { triggerOn: 'videoAdded' } });
		expect(items).toMatchObject([{ name: 'latest' }]);
	});

	it('keeps to To Status', async () => {
		service.seedEvents(35);
		service.seedEvents([{ dateScheduled: '2020-01-01 10:00:00', title: 'live', status: 'LIVE' }]);
		const { items } = await fetchTestEvent({ service, parameters: { toStatus: ['LIVE'] } });
		expect(items).toMatchObject([{ title: 'live', status: 'LIVE' }]);
	});

	it('keeps to Scheduled Within Days', async () => {
		seedLatest(service);
		const [near] = service.seedEvents([{ dateScheduled: dateIn(DAY_MS) }]);
		const { items } = await fetchTestEvent({
			service,
			parameters: { options: { scheduledWithinDays: 2 } },
		});
		expect(items).toMatchObject([{ hash: near?.hash }]);
	});

	it.each(TRIGGER_ON)('of %s that finds nothing says so in one sentence', async (triggerOn) => {
		const fetched = fetchTestEvent({ service, parameters: { triggerOn } });
		await expect(fetched).rejects.toThrow(
			`No ${KINDS[triggerOn]?.record} of the plan matches the parameters of this trigger`,
		);
	});
});
