import { HOUR_MS } from '../execution/clock';
import { fc } from '../execution/generated';
import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, polls } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { triggerOn: 'videoAdded' };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
/** Adds so many videos `v0`, `v1`, …, created so many hours ago. */
const seedAt = (count: number, hours: (number: number) => number) =>
	service.seedVideos(
		Array.from({ length: count }, (_, number) => ({
			name: `v${number}`,
			createdDate: hoursAgo(hours(number)),
		})),
	);

describe('when a video is added', () => {
	it('returns its record once', async () => {
		service.seedVideos(3);
		const trigger = await activeTrigger({ service, parameters });
		expect(await trigger.poll()).toBeNull();
		const [request] = service.requestsOf('videoList');
		expect(request?.query).toEqual({ page: '1', orderBy: 'created_date', sort: 'DESC' });
		expect(request?.body).toEqual({ payload: { planId: 'plan-1001' } });
		const [video] = service.seedVideos([{ name: 'keynote.mp4', size: 5 }]);
		expect(await trigger.poll()).toEqual([
			{
				hash: video?.hash,
				name: 'keynote.mp4',
				created_date: video?.createdDate,
				folder_uuid: null,
				size: 5,
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('returns several with the oldest first', async () => {
		service.seedVideos([{ createdDate: hoursAgo(99) }]);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos([
			{ name: 'b', createdDate: hoursAgo(1) },
			{ name: 'a', createdDate: hoursAgo(2) },
		]);
		expect(await trigger.poll()).toMatchObject([{ name: 'a' }, { name: 'b' }]);
	});

	it('reads about 100 of thousands of videos, also at the baseline', async () => {
		seedAt(3_000, (day) => 24 * day);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		expect(service.requestsOf('videoList').length).toBeLessThanOrEqual(12);
		service.seedVideos([{ name: 'new' }]);
		const before = service.requestsOf('videoList').length;
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		expect(service.requestsOf('videoList').length - before).toBeLessThanOrEqual(6);
		expect(trigger.saved().length).toBeLessThan(1_500);
	});

	it('reports all videos added to a plan that was empty at activation and in the next poll', async () => {
		const trigger = await activeTrigger({ service, parameters });
		expect(await polls(trigger, 2)).toEqual([]);
		seedAt(60, (number) => 2.8 * number);
		expect(await trigger.poll()).toHaveLength(60);
		expect(await trigger.poll()).toBeNull();
	});

	it.each([20, 99, 150])(
		'reports an imported video dated long ago, in a plan of %i videos',
		async (videos) => {
			seedAt(videos, (number) => 5 * number);
			const trigger = await activeTrigger({ service, parameters });
			await trigger.poll();
			const createdDate = hoursAgo(5 * Math.min(videos, 90) - 2);
			service.seedVideos([{ name: 'imported', createdDate }]);
			expect(await trigger.poll()).toMatchObject([{ name: 'imported' }]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('does not report an old video of a long list that comes near the newest ones by deletions', async () => {
		seedAt(300, (day) => 24 * day);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.state.videos = service.state.videos.filter((_, index) => index % 3 === 0);
		expect(await trigger.poll()).toBeNull();
	});

	it('reports those of a long pause once, although a poll has time for one page only', async () => {
		service.seedVideos([{ createdDate: hoursAgo(1_000) }]);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		const added = seedAt(70, (number) => 10 * number);
		const short = await activeTrigger({ service, parameters, staticData: trigger.saved(), budgetMs: -1 });
		const reported = hashesOf(await polls(short, 8));
		expect(reported?.sort()).toEqual(added.map(({ hash }) => hash).sort());
	});

	it('loses none of 250 when the list breaks off while they are read', async () => {
		const empty = { status: 200, body: '[]' } as const;
		const answer = fc.constantFrom(
			empty,
			{ status: 400, error: 'Bad Request' },
			{ status: 404, error: 'Not Found' },
			{ status: 204, body: '' },
		);
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(0, 20, 150),
				fc.integer({ min: 1, max: 13 }),
				answer,
				async (before, pagesBefore, response) => {
					service.state.videos = [];
					seedAt(before, (day) => 1_000 + 24 * day);
					const trigger = await activeTrigger({ service, parameters });
					expect(await polls(trigger, before === 0 ? 2 : 1)).toEqual([]);
					const added = seedAt(250, (number) => 3 * number);
					service.injectFault({ on: 'videoList', kind: 'status', ...response, skip: pagesBefore });
					const reported = hashesOf(await polls(trigger, 3));
					expect(reported?.sort()).toEqual(added.map(({ hash }) => hash).sort());
					// The old part of the list is not read for ever.
					service.requests.length = 0;
					await trigger.poll();
					expect(service.requestsOf('videoList').length).toBeLessThanOrEqual(8);
				},
			),
			{
				numRuns: 8,
				examples: [
					[0, 7, empty],
					[20, 7, empty],
					[150, 7, empty],
				],
			},
		);
	});

	it('does not lose one when the service rejects the sort order', async () => {
		Object.assign(service.settings, { defaultPageSize: 5, videoSortRejected: true });
		seedAt(23, (day) => 24 * (30 - day));
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos([{ name: 'new' }]);
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		expect(await trigger.poll()).toBeNull();
	});
});
