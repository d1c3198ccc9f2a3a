import { DAY_MS } from '../execution/clock';
import { activeTrigger, fetchTestEvent } from '../execution/pollNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
const watching = (mode: string, value: string) => ({
	triggerOn: 'videoAdded',
	options: { folder: locator(mode, value) },
});

describe('the option Folder', () => {
	it.each(['camelCase', 'snake_case', 'plain', 'nestedPlan'] as const)(
		'watches only the videos in this folder, chosen in any way, with names in %s',
		async (recordNames) => {
			Object.assign(service.settings, { recordNames });
			const [webinars, other] = service.seedFolders([{ name: 'Webinars 2026' }, { name: 'Other' }]);
			service.seedVideos([{ folder: webinars?.uuid }, { folder: other?.uuid }, {}]);
			for (const parameters of [
				watching('list', webinars?.uuid ?? ''),
				watching('uuid', webinars?.uuid.toUpperCase() ?? ''),
				watching('name', ' Webinars 2026'),
			]) {
				const trigger = await activeTrigger({ service, parameters });
				expect(await trigger.poll()).toBeNull();
				const [added, elsewhere] = service.seedVideos([
					{ folder: webinars?.uuid },
					{ folder: other?.uuid },
					{},
				]);
				const items = JSON.stringify(await trigger.poll());
				expect(items).toContain(added?.hash);
				expect(items).not.toContain(elsewhere?.hash);
				expect(await trigger.poll()).toBeNull();
				const sample = await fetchTestEvent({ service, parameters });
				expect(JSON.stringify(sample.items)).toContain(webinars?.uuid);
			}
		},
	);

	it('compares names where the records contain no UUID', async () => {
		const [webinars] = service.seedFolders([{ name: 'Webinars' }, { name: 'Other' }]);
		const list = (...folders: string[]) => {
			service.clearFaults();
			const videos = folders.map((folder, number) => ({ hash: `video${number}`, folder }));
			const body = JSON.stringify(videos);
			service.injectFault({ kind: 'status', on: 'videoList', status: 200, body, times: 99 });
		};
		list('Webinars', 'Other');
		const trigger = await activeTrigger({ service, parameters: watching('uuid', webinars?.uuid ?? '') });
		await trigger.poll();
		list('Webinars', 'Other', 'Other', 'Webinars');
		expect(await trigger.poll()).toMatchObject([{ hash: 'video3' }]);
	});

	it('is an error when no record has a folder, and says where to look', async () => {
		const [folder] = service.seedFolders(1);
		const body = JSON.stringify([{ hash: 'abc', name: 'a.mp4', created_date: '2026-05-01T00:00:00Z' }]);
		service.injectFault({ kind: 'status', on: 'videoList', status: 200, body, times: 99 });
		const parameters = watching('uuid', folder?.uuid ?? '');
		const expected = {
			message: expect.stringMatching(/do not contain their folder, so the option Folder cannot be applied$/),
			description: expect.stringContaining('Video → Get Many'),
		};
		const trigger = await activeTrigger({ service, parameters });
		await expect(trigger.poll()).rejects.toMatchObject(expected);
		await expect(fetchTestEvent({ service, parameters })).rejects.toMatchObject(expected);
	});

	it('must be one folder of the application', async () => {
		service.seedVideos(1);
		service.seedFolders([{ name: 'Twice' }, { name: 'Twice' }]);
		for (const [mode, value, message] of [
			['name', 'Nowhere', 'The application has no folder with the name "Nowhere"'],
			['uuid', '00000000-0000-4000-8000-000000000000', 'The application has no folder with the UUID 0000'],
			['name', 'Twice', '2 folders have the name "Twice": '],
		] as const) {
			const trigger = await activeTrigger({ service, parameters: watching(mode, value) });
			await expect(trigger.poll()).rejects.toThrow(message);
		}
	});

	it('left empty watches all videos', async () => {
		service.seedVideos(1);
		const trigger = await activeTrigger({ service, parameters: watching('list', '') });
		await trigger.poll();
		service.seedVideos(2);
		expect(await trigger.poll()).toHaveLength(2);
		expect(service.requestsOf('folderList')).toHaveLength(0);
	});
});

it.each(['milliseconds', 'seconds', 'epoch', 'day', 'none'] as const)(
	'videos with dates in the form "%s" are reported once each, and a long list is read only where needed',
	async (videoDates) => {
		service.settings.videoDates = videoDates;
		const day = (days: number) => ({ createdDate: new Date(Date.now() - days * DAY_MS).toISOString() });
		service.seedVideos(Array.from({ length: 300 }, (_, number) => day(number + 10)));
		const trigger = await activeTrigger({ service, parameters: { triggerOn: 'videoAdded' } });
		expect(await trigger.poll()).toBeNull();
		const [added] = service.seedVideos([day(1)]);
		const before = service.requestsOf('videoList').length;
		expect(await trigger.poll()).toMatchObject([{ hash: added?.hash }]);
		if (videoDates !== 'none') expect(service.requestsOf('videoList').length - before).toBeLessThan(10);
		expect(await trigger.poll()).toBeNull();
	},
);
