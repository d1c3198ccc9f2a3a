import { DAY_MS, HOUR_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf } from './watchedPlan';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const parameters = { triggerOn: 'videoAdded' };
const hoursAgo = (hours: number) => ({ createdDate: new Date(Date.now() - hours * HOUR_MS).toISOString() });
/** Adds so many videos, the first one created so many hours ago, each other one a day before. */
const seedDaily = (count: number, firstHoursAgo: number) =>
	service.seedVideos(Array.from({ length: count }, (_, day) => hoursAgo(firstHoursAgo + 24 * day)));

async function activated(options = {}) {
	const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
	expect(await trigger.poll()).toBeNull();
	return trigger;
}

describe('a video that is added', () => {
	it('is returned once as its record', async () => {
		service.seedVideos(3);
		const trigger = await activated();
		const [video] = service.seedVideos([{ name: 'keynote.mp4', size: 5 }]);
		expect(await trigger.poll()).toEqual([
			{
				...{ hash: video?.hash, name: 'keynote.mp4', created_date: video?.createdDate },
				...{ folder_uuid: null, size: 5 },
			},
		]);
		expect(await trigger.poll()).toBeNull();
	});

	it('is returned after those that are older', async () => {
		const trigger = await activated();
		await trigger.poll();
		service.seedVideos([
			{ name: 'b', ...hoursAgo(1) },
			{ name: 'a', ...hoursAgo(2) },
		]);
		expect(await trigger.poll()).toMatchObject([{ name: 'a' }, { name: 'b' }]);
	});

	it.each([
		[47, true],
		[49, false],
	])('is reported when it is dated %i hours before the last poll: %s', async (hours, isReported) => {
		seedDaily(50, 1);
		const trigger = await activated();
		const [late] = service.seedVideos([hoursAgo(hours)]);
		expect(hashesOf(await trigger.poll())).toEqual(isReported ? [late?.hash] : null);
	});

	it('while n8n was off for a week is reported, and those that were there are not repeated', async () => {
		const old = seedDaily(300, 7 * 24 + 1);
		const before = await activated();
		// As of a week ago: n8n stored the time of its last poll.
		const staticData = before.saved().replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) - 7 * DAY_MS}`);
		const added = seedDaily(7, 1);
		const trigger = await activeTrigger({ service, parameters, staticData });
		const reported = hashesOf(await trigger.poll());
		expect(reported).toEqual(expect.arrayContaining(added.map(({ hash }) => hash)));
		// The first poll above read them as of today, so the two days before that week are new to it.
		for (const { hash } of old.slice(2)) expect(reported).not.toContain(hash);
	});

	it('is found among thousands with a few requests, and the state stays small', async () => {
		seedDaily(3_000, 1);
		const trigger = await activated();
		service.seedVideos([{ name: 'new' }]);
		const before = service.requestsOf('videoList').length;
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		expect(service.requestsOf('videoList').length - before).toBeLessThanOrEqual(4);
		expect(trigger.saved().length).toBeLessThan(1_000);
	});

	it.each(['milliseconds', 'day', 'none'] as const)(
		'is reported once with dates in the form "%s"',
		async (videoDates) => {
			service.settings.videoDates = videoDates;
			seedDaily(60, 240);
			const trigger = await activated();
			const [added] = service.seedVideos([hoursAgo(24)]);
			expect(await trigger.poll()).toMatchObject([{ hash: added?.hash }]);
			expect(await trigger.poll()).toBeNull();
		},
	);
});

describe('the option Folder', () => {
	const locator = (mode: string, value: string) => ({ folder: { __rl: true, mode, value } });

	it.each(['camelCase', 'snake_case'] as const)(
		'watches only the videos in this folder, chosen in any way, with names in %s',
		async (recordNames) => {
			Object.assign(service.settings, { recordNames });
			const [webinars, other] = service.seedFolders([{ name: 'Webinars 2026' }, { name: 'Other' }]);
			service.seedVideos([{ folder: webinars?.uuid }, { folder: other?.uuid }, {}]);
			for (const options of [
				locator('list', webinars?.uuid ?? ''),
				locator('uuid', webinars?.uuid.toUpperCase() ?? ''),
				locator('name', ' Webinars 2026'),
			]) {
				const trigger = await activated(options);
				const [added] = service.seedVideos([{ folder: webinars?.uuid }, { folder: other?.uuid }, {}]);
				const items = await trigger.poll();
				expect(items).toHaveLength(1);
				expect(JSON.stringify(items)).toContain(added?.hash);
				const sample = await fetchTestEvent({ service, parameters: { ...parameters, options } });
				expect(JSON.stringify(sample.items)).toContain(webinars?.uuid);
			}
		},
	);

	it('compares names where the records contain no UUID', async () => {
		const [webinars] = service.seedFolders([{ name: 'Webinars' }, { name: 'Other' }]);
		const list = (...folders: string[]) => {
			service.clearFaults();
			const body = JSON.stringify(folders.map((folder, number) => ({ hash: `video${number}`, folder })));
			service.injectFault({ kind: 'status', on: 'videoList', status: 200, body, times: 99 });
		};
		list('Webinars', 'Other');
		const trigger = await activated(locator('uuid', webinars?.uuid ?? ''));
		list('Webinars', 'Other', 'Other', 'Webinars');
		expect(await trigger.poll()).toMatchObject([{ hash: 'video3' }]);
	});

	it('is an error when no record has a folder, and says where to look', async () => {
		const [folder] = service.seedFolders(1);
		service.settings.videoFolders = false;
		service.seedVideos(1);
		const options = locator('uuid', folder?.uuid ?? '');
		const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
		await expect(trigger.poll()).rejects.toMatchObject({
			message: expect.stringMatching(/do not contain their folder, so the option Folder cannot be applied$/),
			description: expect.stringContaining('Video → Get Many'),
		});
	});

	it('must be one folder of the application', async () => {
		service.seedFolders([{ name: 'Twice' }, { name: 'Twice' }]);
		for (const [mode, value, message] of [
			['name', 'Nowhere', /"Nowhere"/],
			['uuid', '00000000-0000-4000-8000-000000000000', /has no folder with the UUID/],
			['name', 'Twice', /folders have the name "Twice"/],
		] as const) {
			const options = locator(mode, value);
			const trigger = await activeTrigger({ service, parameters: { ...parameters, options } });
			await expect(trigger.poll()).rejects.toThrow(message);
		}
	});

	it('is looked up again by each poll', async () => {
		const [folder] = service.seedFolders([{ name: 'Webinars' }]);
		const trigger = await activated(locator('name', 'Webinars'));
		if (folder) folder.name = 'Renamed';
		await expect(trigger.poll()).rejects.toThrow('"Webinars"');
	});

	it('left empty watches all videos', async () => {
		service.seedVideos(1);
		const trigger = await activated(locator('list', ''));
		service.seedVideos(2);
		expect(await trigger.poll()).toHaveLength(2);
		expect(service.requestsOf('folderList')).toHaveLength(0);
	});
});
