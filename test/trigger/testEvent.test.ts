import { dateIn } from '../execution/clock';
import { fetchTestEvent } from '../execution/pollNode';
import { withKnownPaging } from '../execution/knownPaging';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = withKnownPaging(started)), { pageSizeCap: 10 });

const onDay = (day: string) => ({ dateScheduled: `${day} 10:00:00` });

describe('Fetch Test Event', () => {
	it('shows the newest event in the form of a change, and remembers nothing', async () => {
		service.seedEvents([
			onDay('2030-01-01'),
			{ ...onDay('2031-01-01'), title: 'newest' },
			onDay('2030-06-01'),
		]);
		const { items, staticData } = await fetchTestEvent({ service });
		expect(items).toMatchObject([
			{ title: 'newest', status: 'WAITING_LIVE', previousStatus: null, changedAt: expect.any(String) },
		]);
		expect(JSON.stringify(items)).not.toContain(service.settings.plans['plan-1001']);
		expect(staticData).toBe('{}');
		expect(service.requestsOf('eventSearchAll')).toHaveLength(1);
	});

	it('shows the newest event whose status To Status names', async () => {
		service.seedEvents(35);
		service.seedEvents([
			{ ...onDay('2020-01-01'), title: 'older', status: 'LIVE' },
			{ ...onDay('2020-02-01'), title: 'newer', status: 'LIVE' },
		]);
		const { items } = await fetchTestEvent({ service, parameters: { toStatus: ['LIVE'] } });
		expect(items).toMatchObject([{ title: 'newer', status: 'LIVE' }]);
	});

	it('finds the newest event although the service rejects the sort order', async () => {
		service.seedEvents([{ ...onDay('2035-01-01'), title: 'newest' }]);
		service.seedEvents(25);
		service.injectFault({ kind: 'status', on: 'eventSearchAll', status: 400, error: 'Only ASC' });
		const { items } = await fetchTestEvent({ service });
		expect(items).toMatchObject([{ title: 'newest' }]);
	});

	it('requests only the events of the option Events', async () => {
		const events = service.seedEvents([onDay('2030-01-01'), onDay('2029-01-01'), onDay('2033-01-01')]);
		const parameters = { options: { events: `${events[1]?.hash},${events[0]?.hash}` } };
		const { items } = await fetchTestEvent({ service, parameters });
		expect(items).toMatchObject([{ hash: events[0]?.hash }]);
		expect(service.requestsOf('eventSearchAll')).toHaveLength(0);
	});

	it('keeps to the option Scheduled Within Days', async () => {
		service.seedEvents([{ dateScheduled: dateIn(0), title: 'today' }, onDay('2035-01-01')]);
		for (const triggerOn of ['eventStatusChanged', 'eventCreated']) {
			const parameters = { triggerOn, options: { scheduledWithinDays: 1 } };
			const { items } = await fetchTestEvent({ service, parameters });
			expect(items).toMatchObject([{ title: 'today' }]);
		}
	});

	it('shows the newest video', async () => {
		service.seedVideos([
			{ name: 'old', createdDate: '2026-01-01T00:00:00.000Z' },
			{ name: 'new', createdDate: '2026-03-01T00:00:00.000Z' },
			{ name: 'older', createdDate: '2025-01-01T00:00:00.000Z' },
		]);
		const { items } = await fetchTestEvent({ service, parameters: { triggerOn: 'videoAdded' } });
		expect(items).toMatchObject([{ name: 'new' }]);
	});

	it.each([
		['eventStatusChanged', { toStatus: ['LIVE'] }, 'No event that matches To Status (LIVE) was found.'],
		[
			'eventStatusChanged',
			{ toStatus: ['LIVE', 'ON_DEMAND'], options: { scheduledWithinDays: 2, events: 'abc' } },
			'No event that matches To Status (LIVE, ON_DEMAND), Event Names or IDs (1 selected) and Scheduled Within Days (2) was found.',
		],
		['eventCreated', {}, 'No event was found.'],
		['videoAdded', {}, 'No video was found.'],
	])(
		'of %s with %j that finds nothing names the conditions that are set',
		async (triggerOn, set, message) => {
			if (triggerOn === 'eventStatusChanged') service.seedEvents([{ ...onDay('2020-01-01'), hash: 'abc' }]);
			await expect(fetchTestEvent({ service, parameters: { triggerOn, ...set } })).rejects.toThrow(message);
		},
	);

	it('reports that the service is down', async () => {
		await service.goDown();
		await expect(fetchTestEvent({ service })).rejects.toThrow(/refused the connection/);
		await service.comeBack();
	});
});
