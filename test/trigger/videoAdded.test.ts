import { DAY_MS, HOUR_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { ServiceSettings } from '../fakeService';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { hashesOf } from './watchedPlan';

serviceForEachTest();

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
	it('is returned once as its record, after those that are older', async () => {
		service.seedVideos(3);
		const trigger = await activated();
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

	it.each([
		['', {}],
		[' in a folder', { folder: { __rl: true, mode: 'name', value: 'Folder 1' } }],
	])('is found among thousands%s with a few requests, and the state stays small', async (_where, options) => {
		const [folder] = service.seedFolders([{ name: 'Folder 1' }]);
		seedDaily(3_000, 1);
		// PostgreSQL lists it first.
		service.seedVideos([{ name: 'without a date', createdDate: '' }]);
		const trigger = await activated(options);
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
		const trigger = await activated();
		const [added] = service.seedVideos([hoursAgo(24)]);
		expect(await trigger.poll()).toMatchObject([{ hash: added?.hash }]);
		expect(await trigger.poll()).toBeNull();
	});
});

const locator = (mode: string, value: string) => ({ folder: { __rl: true, mode, value } });

describe('the option Folder', () => {
	it('watches only the videos in this folder', async () => {
		const [webinars, other] = service.seedFolders(2);
		const uuid = webinars?.uuid ?? '';
		const seedEverywhere = () => service.seedVideos([{ folder: uuid }, { folder: other?.uuid }, {}]);
		seedEverywhere();
		const options = locator('list', uuid);
		const trigger = await activated(options);
		const [added] = seedEverywhere();
		expect(hashesOf(await trigger.poll())).toEqual([added?.hash]);
		const sample = await fetchTestEvent({ service, parameters: { ...parameters, options } });
		expect(sample.items).toMatchObject([{ folder_uuid: uuid }]);
	});

	it('does not report a known video that is moved into the folder', async () => {
		const [folder, other] = service.seedFolders(2);
		const [video] = service.seedVideos([{ folder: other?.uuid }, { folder: folder?.uuid }]);
		const trigger = await activated(locator('uuid', folder?.uuid ?? ''));
		Object.assign(video ?? {}, { folder: folder?.uuid });
		expect(await trigger.poll()).toBeNull();
	});
});

describe('a folder whose videos are the only ones that show it', () => {
	const page = (number: string, records: object[]) =>
		service.injectFault({
			...({ on: 'videoList', kind: 'status', status: 200 } as const),
			...{ body: records, times: 9, query: { page: number } },
		});
	/** Lists newer videos, one a day, and then one of the folder. */
	function listed() {
		const [folder] = service.seedFolders(1);
		const newer = [...Array(20).keys()].map((day) => ({
			...{ hash: `v${day}`, name: 'New' },
			created_date: new Date(Date.now() - day * DAY_MS).toISOString(),
		}));
		page('1', newer);
		page('2', [{ hash: 'old', name: 'Old', created_date: '2020-01-01 10:00:00', folder_uuid: folder?.uuid }]);
		page('3', []);
		return { newer, parameters: { ...parameters, options: locator('list', folder?.uuid ?? '') } };
	}

	it('is watched, also while all that is new shows none', async () => {
		const { newer, parameters } = listed();
		const trigger = await activeTrigger({ service, parameters });
		expect(await trigger.poll()).toBeNull();
		service.clearFaults();
		page('1', [{ hash: 'new', name: 'New', created_date: new Date().toISOString() }, ...newer]);
		expect(await trigger.poll()).toBeNull();
	});

	it('has its latest video as the test event', async () => {
		const { items } = await fetchTestEvent({ service, parameters: listed().parameters });
		expect(items).toMatchObject([{ hash: 'old' }]);
	});
});

describe('the option Folder of a trigger that was published in an empty plan', () => {
	it.each(['none', 'name'] as const)(
		'is an error where records show of the folder: %s',
		async (videoFolders) => {
			service.settings.videoFolders = videoFolders;
			const [watched] = service.seedFolders([{ name: '2026' }]);
			const options = locator('list', watched?.uuid ?? '');
			const trigger = await activated(options);
			const [other] = service.seedFolders([{ name: '2026' }]);
			service.seedVideos([{ folder: other?.uuid }]);
			await expect(trigger.poll()).rejects.toThrow(
				'do not show which folder they are in, so the option Folder',
			);
		},
	);
});
