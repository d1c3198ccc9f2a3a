import { fetchTestEvent } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started), { pageSizeCap: 10 });

const onDay = (day: string) => ({ dateScheduled: `${day} 10:00:00` });
const isoTime = expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/);

describe('Fetch Test Event', () => {
	it.each([
		['eventCreated', {}],
		['eventDeleted', { deleted: true, deletedAt: isoTime }],
		['eventStartsSoon', { startsAt: '2031-01-01T10:00:00+00:00', minutesLeft: expect.any(Number) }],
		['eventStatusChanged', { status: 'WAITING_LIVE', previousStatus: null, changedAt: isoTime }],
		[
			'eventUpdated',
			{ previous: { title: 'latest', dateScheduled: '2031-01-01 10:00:00' }, changedAt: isoTime },
		],
	])('of %s shows the event that is scheduled last in the form of the trigger', async (triggerOn, form) => {
		service.seedEvents([
			onDay('2030-01-01'),
			{ ...onDay('2031-01-01'), title: 'latest' },
			onDay('2030-06-01'),
		]);
		const { items, staticData } = await fetchTestEvent({ service, parameters: { triggerOn } });
		expect(items).toMatchObject([{ title: 'latest', hash: service.state.events[1]?.hash, ...form }]);
		expect(JSON.stringify(items)).not.toContain(service.settings.plans['plan-1001']);
		expect(staticData).toBe('{}');
	});

	it('of videoAdded shows the newest video', async () => {
		const dates = ['2026-01-01', '2026-03-01', '2025-01-01'];
		service.seedVideos(dates.map((day) => ({ name: day, createdDate: `${day}T00:00:00.000Z` })));
		const { items } = await fetchTestEvent({ service, parameters: { triggerOn: 'videoAdded' } });
		expect(items).toMatchObject([{ name: '2026-03-01' }]);
	});

	it('keeps to To Status', async () => {
		service.seedEvents(35);
		service.seedEvents([{ ...onDay('2020-01-01'), title: 'live', status: 'LIVE' }]);
		const { items } = await fetchTestEvent({ service, parameters: { toStatus: ['LIVE'] } });
		expect(items).toMatchObject([{ title: 'live', status: 'LIVE' }]);
	});

	it.each([
		[{ toStatus: ['LIVE'] }, 'No event of the plan matches the parameters of this trigger'],
		[{ triggerOn: 'videoAdded' }, 'No video of the plan matches the parameters of this trigger'],
	])('with %j that finds nothing says so in one sentence', async (parameters, message) => {
		await expect(fetchTestEvent({ service, parameters })).rejects.toThrow(message);
	});
});
