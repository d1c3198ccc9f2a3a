import { clockAhead, DAY_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { ServiceSettings } from '../fakeService';
import { answer, service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { newFolder } from '../upload/uploading';
import { hashesOf, polls, watching } from './polling';
import { hoursAgo } from './scenes';

serviceForEachTest();

const parameters = { triggerOn: 'videoAdded' };
/** Adds so many videos, the first one created so many hours ago, each other one a day before. */
const seedDaily = (count: number, firstHoursAgo: number, folder: string | null = null) =>
	service.seedVideos(
		[...Array(count).keys()].map((day) => ({ ...hoursAgo(firstHoursAgo + 24 * day), folder })),
	);

const videos = async (options = {}) => await watching({ ...parameters, options });

it('A video that is added is returned once as its record, after those that are older', async () => {
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
])('A video is reported when it is dated %i hours before the last poll: %s', async (hours, isReported) => {
	seedDaily(50, 1);
	const trigger = await videos();
	const [late] = service.seedVideos([hoursAgo(hours)]);
	expect(hashesOf(await trigger.poll())).toEqual(isReported ? [late?.hash] : null);
});

it('A video that is added while n8n was off for a week is reported, and those that were there are not repeated', async () => {
	seedDaily(300, 1);
	const staticData = (await videos()).saved();
	const added = seedDaily(7, -7 * 24 + 1).map(({ hash }) => hash);
	const trigger = await activeTrigger({ service, parameters, staticData });
	const reported = await clockAhead(7 * DAY_MS, async () => await trigger.poll());
	expect(hashesOf(reported)).toEqual(added.reverse());
});

it.each(['anywhere', 'in a folder'])('A video costs few requests and a small state: %s', async (where) => {
	const folder = newFolder(service);
	seedDaily(3_000, 1);
	// PostgreSQL lists it first.
	service.seedVideos([{ name: 'without a date', createdDate: '' }]);
	const trigger = await videos(where === 'in a folder' ? { folder } : {});
	service.seedVideos([{ name: 'new', folder: folder.value }]);
	const before = service.requestsOf('videoList').length;
	expect(await trigger.poll()).toMatchObject([{ name: 'new' }]);
	expect(service.requestsOf('videoList').length - before).toBeLessThanOrEqual(4);
	expect(trigger.saved().length).toBeLessThan(1_000);
});

it('A video is reported once where two have one date, and the first of them ends a page and begins the next', async () => {
	service.settings.tiesShuffled = true;
	seedDaily(100, 24);
	const trigger = await videos();
	const added = service.seedVideos(
		[...Array(30).keys()].map((n) => ({ hash: `d${n}`, ...hoursAgo(Math.floor((n + 1) / 2)) })),
	);
	const reported = await polls(trigger, 3);
	expect(hashesOf(reported)?.sort()).toEqual(added.map(({ hash }) => hash).sort());
});

it.each<[Partial<ServiceSettings>, number]>([
	[{ videoDates: 'day' }, 60],
	[{ videoDates: 'none' }, 60],
	[{ videoOrderByIgnored: true }, 60],
	[{ videoOrderByIgnored: true, videoDates: 'day' }, 1],
])('A video is reported once wherever it is listed, however dated: %j on %i days', async (...given) => {
	const [settings, days] = given;
	Object.assign(service.settings, settings);
	// In no order, although the first page ends with an older video than it begins with.
	service.seedVideos([...Array(60).keys()].map((n) => hoursAgo(24 * (30 + ((n * 7) % days)))));
	const trigger = await videos();
	const [added] = service.seedVideos([hoursAgo(24)]);
	expect(await trigger.poll()).toMatchObject([{ hash: added?.hash }]);
	expect(await trigger.poll()).toBeNull();
});

describe('the option Folder', () => {
	let folder: ReturnType<typeof newFolder>;
	beforeEach(() => (folder = newFolder(service)));

	it('The option Folder watches only the videos in this folder, and not a known one that is moved into it', async () => {
		const folders = [newFolder(service).value, folder.value, null];
		const seedEverywhere = () => service.seedVideos(folders.map((each) => ({ folder: each })));
		const [known] = seedEverywhere();
		const trigger = await videos({ folder });
		const [, added] = seedEverywhere();
		expect(hashesOf(await trigger.poll())).toEqual([added?.hash]);
		Object.assign(known ?? {}, { folder: folder.value });
		expect(await trigger.poll()).toBeNull();
	});

	it('The option Folder finds videos of the folder, also the test event, where only older ones show it', async () => {
		const newVideo = (hash: string, ms: number) => ({ hash, name: 'New', created: Date.now() - ms });
		const newer = [...Array(20).keys()].map((day) => newVideo(`v${day}`, day * DAY_MS));
		const old = { hash: 'old', name: 'Old', created: '2020-01-01', folder_uuid: folder.value };
		const lists = (...pages: object[][]) => {
			service.clearFaults();
			for (const [index, page] of pages.entries())
				answer('videoList', page, { query: { page: `${index + 1}` } });
		};
		lists(newer, [old], []);
		const { items } = await fetchTestEvent({ service, parameters: { ...parameters, options: { folder } } });
		expect(items).toMatchObject([{ hash: 'old' }]);
		const trigger = await videos({ folder });
		lists([newVideo('new', 0), ...newer]);
		expect(await trigger.poll()).toBeNull();
	});

	it('The option Folder reads no further than to the newest video in the folder for a test event', async () => {
		const [newest] = seedDaily(200, 0, folder.value);
		const { items } = await fetchTestEvent({ service, parameters: { ...parameters, options: { folder } } });
		expect(items).toMatchObject([{ hash: newest?.hash }]);
		expect(service.requestsOf('videoList')).toHaveLength(1);
	});

	it('The option Folder is an error, also after an empty first list, when no video shows its folder', async () => {
		service.settings.videoFolders = 'none';
		const trigger = await videos({ folder });
		service.seedVideos([{ folder: folder.value }]);
		await expect(trigger.poll()).rejects.toThrow(
			'do not show for certain which folder they are in, so the option Folder',
		);
	});
});
