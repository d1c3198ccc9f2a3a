import { clockAhead, DAY_MS, HOUR_MS } from '../execution/clock';
import { by } from '../execution/locator';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { ServiceSettings } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf, watching } from './polling';

serviceForEachTest();

const parameters = { triggerOn: 'videoAdded' };
const hoursAgo = (hours: number) => ({ createdDate: new Date(Date.now() - hours * HOUR_MS).toISOString() });
/** Adds so many videos, the first one created so many hours ago, each other one a day before. */
const seedDaily = (count: number, firstHoursAgo: number) =>
	service.seedVideos(Array.from({ length: count }, (_, day) => hoursAgo(firstHoursAgo + 24 * day)));

const videos = async (options = {}) => await watching({ ...parameters, options });

describe('a video that is added', () => {
	it('is returned once as its record, after those that are older', async () => {
		service.seedVideos(3);
		const trigger = await videos();
		const [later, earlier] = service.seedVideos([
			{ name: 'b', ...hoursAgo(1), size: 5 },
			{ name: 'a', ...hoursAgo(2) },
		]);
		const recordOf = (video = later) => ({
			...{ hash: video?.hash, name: video?.name, created_date: video?.createdDate },
			...{ folder_uuid: null, size: video?.size },
		});
		expect(await trigger.poll()).toEqual([recordOf(earlier), recordOf(later)]);
		expect(await trigger.poll()).toBeNull();
	});

	it.each([
		[47, true],
		[49, false],
	])('is reported when it is dated %i hours before the last poll: %s', async (hours, isReported) => {
		seedDaily(50, 1);
		const trigger = await videos();
		const [late] = service.seedVideos([hoursAgo(hours)]);
		expect(hashesOf(await trigger.poll())).toEqual(isReported ? [late?.hash] : null);
	});

	it('while n8n was off for a week is reported, and those that were there are not repeated', async () => {
		const old = seedDaily(300, 7 * 24 + 1);
		const before = await videos();
		// As of a week ago: n8n stored the time of its last poll.
		const staticData = before.saved().replace(/"at":(\d+)/, (_, at) => `"at":${Number(at) - 7 * DAY_MS}`);
		const added = seedDaily(7, 1);
		const trigger = await activeTrigger({ service, parameters, staticData });
		const reported = hashesOf(await trigger.poll());
		expect(reported).toEqual(expect.arrayContaining(added.map(({ hash }) => hash)));
		// The first poll above read them as of today, so the two days before that week are new to it.
		for (const { hash } of old.slice(2)) expect(reported).not.toContain(hash);
	});

	it.each([
		['', {}],
		[' in a folder', { folder: by('name', 'Folder 1') }],
	])('is found among thousands%s with a few requests, and the state stays small', async (_where, options) => {
		const [folder] = service.seedFolders([{ name: 'Folder 1' }]);
		seedDaily(3_000, 1);
		// PostgreSQL lists it first.
		service.seedVideos([{ name: 'without a date', createdDate: '' }]);
		const trigger = await videos(options);
		service.seedVideos([{ name: 'new', folder: folder?.uuid }]);
		const before = service.requestsOf('videoList').length;
		expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
		expect(service.requestsOf('videoList').length - before).toBeLessThanOrEqual(4);
		expect(trigger.saved().length).toBeLessThan(1_000);
	});

	it.each<[Partial<ServiceSettings>, number]>([
		[{ videoDates: 'day' }, 60],
		[{ videoDates: 'none' }, 60],
		[{ videoOrderByIgnored: true }, 60],
		[{ videoOrderByIgnored: true, videoDates: 'day' }, 1],
	])('is reported once wherever it is listed and however it is dated: %j on %i days', async (...given) => {
		const [settings, days] = given;
		Object.assign(service.settings, settings);
		// In no order, although the first page ends with an older video than it begins with.
		service.seedVideos([...Array(60).keys()].map((n) => hoursAgo(24 * (30 + ((n * 7) % days)))));
		const trigger = await videos();
		const [added] = service.seedVideos([hoursAgo(24)]);
		expect(await trigger.poll()).toMatchObject([{ hash: added?.hash }]);
		expect(await trigger.poll()).toBeNull();
	});
});

describe('the option Folder', () => {
	it('watches only the videos in this folder, and not a known one that is moved into it', async () => {
		const [webinars, other] = service.seedFolders(2);
		const uuid = webinars?.uuid ?? '';
		const seedEverywhere = () => service.seedVideos([{ folder: other?.uuid }, { folder: uuid }, {}]);
		const [known] = seedEverywhere();
		const trigger = await videos({ folder: by('list', uuid) });
		const [, added] = seedEverywhere();
		expect(hashesOf(await trigger.poll())).toEqual([added?.hash]);
		Object.assign(known ?? {}, { folder: uuid });
		expect(await trigger.poll()).toBeNull();
	});

	it('finds videos of the folder, also the test event, where only older ones show it', async () => {
		const [folder] = service.seedFolders(1);
		const newVideo = (hash: string, ms: number) => ({ hash, name: 'New', created: Date.now() - ms });
		const newer = [...Array(20).keys()].map((day) => newVideo(`v${day}`, day * DAY_MS));
		const old = { hash: 'old', name: 'Old', created: '2020-01-01', folder_uuid: folder?.uuid };
		const lists = (...pages: object[][]) => {
			service.clearFaults();
			for (const [index, page] of pages.entries())
				answer('videoList', page, { query: { page: `${index + 1}` } });
		};
		lists(newer, [old], []);
		const options = { folder: by('list', folder?.uuid ?? '') };
		const { items } = await fetchTestEvent({ service, parameters: { ...parameters, options } });
		expect(items).toMatchObject([{ hash: 'old' }]);
		const trigger = await videos(options);
		lists([newVideo('new', 0), ...newer]);
		expect(await trigger.poll()).toBeNull();
	});

	it.each([1, 72])(
		'reads and checks no old videos days after the last one: first %i hours old',
		async (hours) => {
			const [folder] = service.seedFolders(1);
			for (const video of seedDaily(200, hours)) video.folder = folder?.uuid ?? null;
			const trigger = await videos({ folder: by('list', folder?.uuid ?? '') });
			const pollAfter = async (days: number) =>
				await clockAhead(days * DAY_MS, async () => expect(await trigger.poll()).toBeNull());
			for (const days of [1, 2, 3, 4, 5]) await pollAfter(days);
			service.requests.splice(0);
			service.settings.videoFolders = 'none';
			await pollAfter(6);
			expect(service.requestsOf('videoList').length).toBeLessThan(4);
		},
	);

	it('is an error, also after an empty first list, when no video shows its folder', async () => {
		service.settings.videoFolders = 'none';
		const [folder] = service.seedFolders(1);
		const trigger = await videos({ folder: by('list', folder?.uuid ?? '') });
		service.seedVideos([{ folder: folder?.uuid }]);
		await expect(trigger.poll()).rejects.toThrow(
			'do not show for certain which folder they are in, so the option Folder',
		);
	});
});
