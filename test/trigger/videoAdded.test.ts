import * as fc from 'fast-check';

import { activeTrigger } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { triggerOn: 'videoAdded' };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('when a video is added', () => {
	it('returns its record once', async () => {
		service.seedVideos(3);
		const trigger = await activeTrigger({ service, parameters });
		expect(await trigger.poll()).toBeNull();
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

	it('sends the plan in the body and requests the newest first', async () => {
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		const [request] = service.requestsOf('videoList');
		expect(request?.query).toEqual({ page: '1', orderBy: 'created_date', sort: 'DESC' });
		expect(request?.body).toEqual({ payload: { planId: 'plan-1001' } });
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

	it.each([200, 1_000, 10_000])('reads about 100 of %i videos, also at the baseline', async (videos) => {
		service.seedVideos(Array.from({ length: videos }, (_, day) => ({ createdDate: hoursAgo(24 * day) })));
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
		expect(await trigger.poll()).toBeNull();
		expect(await trigger.poll()).toBeNull();
		service.seedVideos(
			Array.from({ length: 60 }, (_, n) => ({ name: `v${n}`, createdDate: hoursAgo(2.8 * n) })),
		);
		expect(await trigger.poll()).toHaveLength(60);
		expect(await trigger.poll()).toBeNull();
	});

	it.each([20, 99, 150])(
		'reports an imported video dated long ago, in a plan of %i videos',
		async (videos) => {
			service.seedVideos(Array.from({ length: videos }, (_, hour) => ({ createdDate: hoursAgo(5 * hour) })));
			const trigger = await activeTrigger({ service, parameters });
			await trigger.poll();
			const createdDate = hoursAgo(5 * Math.min(videos, 90) - 2);
			service.seedVideos([{ name: 'imported', createdDate }]);
			expect(await trigger.poll()).toMatchObject([{ name: 'imported' }]);
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('does not report an old video of a long list that comes near the newest ones by deletions', async () => {
		service.seedVideos(Array.from({ length: 300 }, (_, day) => ({ createdDate: hoursAgo(24 * day) })));
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.state.videos = service.state.videos.filter((_, index) => index % 3 === 0);
		expect(await trigger.poll()).toBeNull();
	});

	it('reports each video once over any course of additions, deletions and restarts', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: 60 }),
				fc.integer({ min: 3, max: 20 }),
				fc.array(
					fc.oneof(
						fc.record({ add: fc.array(fc.nat({ max: 45 }), { maxLength: 40 }) }),
						fc.record({ remove: fc.nat({ max: 80 }) }),
						fc.constant('restart' as const),
					),
					{ maxLength: 10 },
				),
				async (initial, pageSize, steps) => {
					Object.assign(service.settings, { defaultPageSize: pageSize });
					service.state.videos = [];
					service.seedVideos(Array.from({ length: initial }, (_, n) => ({ createdDate: hoursAgo(30 * n) })));
					let trigger = await activeTrigger({ service, parameters });
					expect(await trigger.poll()).toBeNull();
					if (initial === 0) expect(await trigger.poll()).toBeNull();
					let expected: string[] = [];
					for (const step of steps) {
						if (step === 'restart') {
							trigger = await activeTrigger({ service, parameters, staticData: trigger.saved() });
						} else if ('remove' in step) {
							const [removed] = service.state.videos.splice(step.remove, 1);
							expected = expected.filter((hash) => hash !== removed?.hash);
						} else {
							const created = step.add.map((hours) => ({ createdDate: hoursAgo(hours) }));
							expected.push(...service.seedVideos(created).map(({ hash }) => hash));
						}
						if (step === 'restart' || 'add' in step) {
							const found = (await trigger.poll()) ?? [];
							expect(found.map(({ hash }) => hash).sort()).toEqual([...expected].sort());
							expected = [];
						}
					}
				},
			),
			{ numRuns: 25 },
		);
	}, 120_000);

	it('reports those of a long pause once, although a poll has time for one page only', async () => {
		service.seedVideos([{ createdDate: hoursAgo(1_000) }]);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos(
			Array.from({ length: 70 }, (_, n) => ({ name: `v${n}`, createdDate: hoursAgo(10 * n) })),
		);
		const short = await activeTrigger({ service, parameters, staticData: trigger.saved(), budgetMs: -1 });
		const reported: unknown[] = [];
		for (let poll = 1; poll <= 8; poll++)
			reported.push(...((await short.poll()) ?? []).map(({ name }) => name));
		expect([...reported].sort()).toEqual(Array.from({ length: 70 }, (_, n) => `v${n}`).sort());
	});

	it.each([
		['20 videos before', 20],
		['150 videos before', 150],
		['an empty plan before', 0],
	])('loses none of 250 when the list breaks off while they are read: %s', async (_before, before) => {
		await fc.assert(
			fc.asyncProperty(
				fc.integer({ min: 1, max: 13 }),
				fc.constantFrom(
					{ status: 400, error: 'Bad Request' },
					{ status: 404, error: 'Not Found' },
					{ status: 200, body: '[]' },
					{ status: 204, body: '' },
				),
				async (pagesBefore, response) => {
					service.state.videos = [];
					service.seedVideos(
						Array.from({ length: before }, (_, day) => ({ createdDate: hoursAgo(1_000 + 24 * day) })),
					);
					const trigger = await activeTrigger({ service, parameters });
					expect(await trigger.poll()).toBeNull();
					if (before === 0) expect(await trigger.poll()).toBeNull();
					const added = service.seedVideos(
						Array.from({ length: 250 }, (_, n) => ({ createdDate: hoursAgo(3 * n) })),
					);
					service.injectFault({ on: 'videoList', kind: 'status', ...response, skip: pagesBefore });
					const reported: unknown[] = [];
					for (let poll = 1; poll <= 3; poll++)
						reported.push(...((await trigger.poll()) ?? []).map(({ hash }) => hash));
					expect(reported.sort()).toEqual(added.map(({ hash }) => hash).sort());
					// The old part of the list is not read for ever.
					service.requests.length = 0;
					await trigger.poll();
					expect(service.requestsOf('videoList').length).toBeLessThanOrEqual(8);
				},
			),
			{ numRuns: 4 },
		);
	});

	it('does not lose one when the service rejects the sort order', async () => {
		Object.assign(service.settings, { defaultPageSize: 5 });
		service.seedVideos(Array.from({ length: 23 }, (_, day) => ({ createdDate: hoursAgo(24 * (30 - day)) })));
		const rejectOrder = () =>
			service.injectFault({ kind: 'status', on: 'videoList', status: 400, error: 'sort must be asc' });
		const trigger = await activeTrigger({ service, parameters });
		rejectOrder();
		await trigger.poll();
		service.seedVideos([{ name: 'new' }]);
		rejectOrder();
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		rejectOrder();
		expect(await trigger.poll()).toBeNull();
	});
});
