import { activeTrigger } from '../execution/pollNode';
import { startService, type RunningService, type ServiceSettings } from '../service';

let service: RunningService;

async function start(settings: Partial<ServiceSettings> = {}): Promise<void> {
	service = await startService(settings);
}

afterEach(async () => {
	await service.close();
});

const parameters = { triggerOn: 'videoAdded' };
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

describe('when a video is added', () => {
	it('gives its record once', async () => {
		await start();
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

	it('asks for the plan in the body and for the newest first', async () => {
		await start();
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		const [request] = service.requestsOf('videoList');
		expect(request?.query).toEqual({ page: '1', orderBy: 'created_date', sort: 'DESC' });
		expect(request?.body).toEqual({ payload: { planId: 'plan-1001' } });
	});

	it('gives several with the oldest first', async () => {
		await start();
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos([
			{ name: 'b', createdDate: hoursAgo(1) },
			{ name: 'a', createdDate: hoursAgo(2) },
		]);
		expect(await trigger.poll()).toMatchObject([{ name: 'a' }, { name: 'b' }]);
	});

	it('also when it is listed later than videos created after it', async () => {
		await start();
		service.seedVideos(Array.from({ length: 30 }, (_, hour) => ({ createdDate: hoursAgo(hour) })));
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos([{ name: 'long transcoding', createdDate: hoursAgo(40) }]);
		expect(await trigger.poll()).toMatchObject([{ name: 'long transcoding' }]);
	});

	it.each([100, 1_000, 10_000])(
		'reads no more than two pages of %i videos, also at the baseline',
		async (videos) => {
			await start();
			service.seedVideos(Array.from({ length: videos }, (_, day) => ({ createdDate: hoursAgo(24 * day) })));
			const trigger = await activeTrigger({ service, parameters });
			await trigger.poll();
			service.seedVideos([{ name: 'new' }]);
			expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
			expect(service.requestsOf('videoList').length).toBeLessThanOrEqual(4);
			expect(trigger.saved().length).toBeLessThan(500);
		},
	);

	it('does not take for new what came in one go long before', async () => {
		await start();
		service.seedVideos(Array.from({ length: 75 }, () => ({ createdDate: hoursAgo(2_000) })));
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		expect(await trigger.poll()).toBeNull();
		service.seedVideos([{ name: 'new' }]);
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		expect(await trigger.poll()).toBeNull();
	});

	it('tells those of a long pause once, although a poll has time for one page only', async () => {
		await start();
		service.seedVideos([{ createdDate: hoursAgo(1_000) }]);
		const trigger = await activeTrigger({ service, parameters });
		await trigger.poll();
		service.seedVideos(
			Array.from({ length: 70 }, (_, n) => ({ name: `v${n}`, createdDate: hoursAgo(10 * n) })),
		);
		const short = await activeTrigger({ service, parameters, staticData: trigger.saved(), budgetMs: -1 });
		const told: unknown[] = [];
		for (let poll = 1; poll <= 8; poll++) told.push(...((await short.poll()) ?? []).map(({ name }) => name));
		expect([...told].sort()).toEqual(Array.from({ length: 70 }, (_, n) => `v${n}`).sort());
	});

	it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
		'finds the hash in records with names in %s',
		async (recordNames) => {
			await start({ recordNames, listShape: 'data.resource' });
			service.seedVideos(2);
			const trigger = await activeTrigger({ service, parameters });
			await trigger.poll();
			const [video] = service.seedVideos(1);
			const items = await trigger.poll();
			expect(items).toHaveLength(1);
			expect(JSON.stringify(items)).toContain(video?.hash);
			if (video) video.name = 'renamed.mp4';
			expect(await trigger.poll()).toBeNull();
		},
	);

	it('does not lose one when the service refuses the sort order', async () => {
		await start({ defaultPageSize: 5 });
		service.seedVideos(Array.from({ length: 23 }, (_, day) => ({ createdDate: hoursAgo(24 * (30 - day)) })));
		const refuse = () =>
			service.injectFault({ kind: 'status', on: 'videoList', status: 400, error: 'sort must be asc' });
		const trigger = await activeTrigger({ service, parameters });
		refuse();
		await trigger.poll();
		service.seedVideos([{ name: 'new' }]);
		refuse();
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		refuse();
		expect(await trigger.poll()).toBeNull();
	});
});
