import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import type { RunningService } from '../../fakeService';
import { serviceForEachTest } from '../../fakeService/serviceForEachTest';

let service: RunningService;
serviceForEachTest((started) => (service = started));

const operation = (name: string) => ({ resource: 'video', operation: name });
/** Every character that has a meaning in an address. */
const HOSTILE = 'a/b?c=d&e#f%2F+;g\\h"ü..';

const UNKNOWN_UUID = '6a2f41a3-c54c-4fce-8a01-4c1b9f0e2d3b';

describe('Video → Move', () => {
	it('needs no plan for a video by its hash', async () => {
		const [video] = service.seedVideos(1);
		const [folder] = service.seedFolders(1);
		const chosen = { video: by('hash', video?.hash ?? ''), folder: by('uuid', folder?.uuid ?? '') };
		const parameters = { ...operation('move'), ...chosen };
		await executeForJson({ service, parameters, credential: { planId: '' } });
		expect(service.state.videos).toMatchObject([{ folder: folder?.uuid }]);
	});

	it.each([
		['the video', 'gone-1', 'known', 'Video not found.'],
		['the folder', 'known', UNKNOWN_UUID, 'Folder not found.'],
	])('names %s that the service does not find', async (_what, hash, uuid, message) => {
		const [video] = service.seedVideos(1);
		const [folder] = service.seedFolders(1);
		const parameters = {
			...operation('move'),
			video: by('hash', hash === 'known' ? (video?.hash ?? '') : hash),
			folder: by('uuid', uuid === 'known' ? (folder?.uuid ?? '') : uuid),
		};
		await expect(executeForJson({ service, parameters })).rejects.toMatchObject({ message });
	});
});

describe('Video → Search', () => {
	it('returns what the service finds', async () => {
		service.seedVideos([{ name: 'Interview.mp4' }, { name: 'Trailer.mp4' }, { name: 'interview 2.mp4' }]);
		const output = await executeForJson({
			service,
			parameters: { ...operation('search'), name: 'interview' },
		});
		expect(output.map(({ name }) => name)).toEqual(['Interview.mp4', 'interview 2.mp4']);
	});
});

describe('Video → Get', () => {
	const get = { ...operation('get'), video: by('hash', '={{ $json.hash }}') };
	const itemsFor = (...hashes: Array<string | undefined>) => hashes.map((hash) => ({ json: { hash } }));

	it('reads pages until the video is found, each once for many items', async () => {
		const videos = service.seedVideos(
			[...Array(60).keys()].map((n) => ({ createdDate: new Date(Date.UTC(2026, 0, n + 1)).toISOString() })),
		);
		const chosen = [59, 25, 58, 25].map((index) => videos[index]?.hash);
		const output = await executeForJson({ service, parameters: get, items: itemsFor(...chosen) });
		expect(output.map(({ hash }) => hash)).toEqual(chosen);
		expect(service.requestsOf('videoList').map(({ query }) => query)).toEqual([
			{ page: '1', orderBy: 'created_date', sort: 'DESC' },
			{ page: '2', orderBy: 'created_date', sort: 'DESC' },
		]);
	});

	it('reads the list in its default order when the service rejects the sort direction', async () => {
		const [video] = service.seedVideos(1);
		service.injectFault({ on: 'videoList', kind: 'status', status: 400, error: 'sort' });
		const output = await executeForJson({ service, parameters: get, items: itemsFor(video?.hash) });
		expect(output).toMatchObject([{ hash: video?.hash }]);
	});

	it('fails for a video that the plan does not have, and reads the list once', async () => {
		service.seedVideos(5);
		const output = await executeForJson({
			service,
			parameters: get,
			items: itemsFor('a', 'b'),
			onError: 'continueRegularOutput',
		});
		expect(output).toEqual([
			{
				error:
					'The plan plan-1001 has no video with the hash "a". Check Video and Plan ID. A new video may take a while to be listed.',
			},
			{
				error:
					'The plan plan-1001 has no video with the hash "b". Check Video and Plan ID. A new video may take a while to be listed.',
			},
		]);
		expect(service.requestsOf('videoList').map(({ query }) => query.page)).toEqual(['1', '2']);
	});

	it('reads again for the next item after a page could not be read', async () => {
		const [video] = service.seedVideos(1);
		service.injectFault({ on: 'videoList', kind: 'status', status: 409 });
		const output = await executeForJson({
			service,
			parameters: get,
			items: itemsFor(video?.hash, video?.hash),
			onError: 'continueRegularOutput',
		});
		expect(output[0]).toHaveProperty('error');
		expect(output[1]).toMatchObject({ hash: video?.hash });
	});
});

describe('Video → Get Many', () => {
	const parameters = operation('getAll');
	const pagesAsked = () => service.requestsOf('videoList').map(({ query }) => Number(query.page));

	it('sends every filter in the query', async () => {
		service.seedVideos([
			{ name: 'b.mp4', createdDate: '2026-03-01T10:00:00.000Z' },
			{ name: 'a.mp4', createdDate: '2026-03-02T10:00:00.000Z' },
			{ name: 'a old.mp4', createdDate: '2025-03-02T10:00:00.000Z' },
		]);
		const filters = {
			name: '.mp4',
			initialDate: '2026-01-01',
			endDate: '2026-12-31',
		};
		const options = { orderBy: 'name', sort: 'DESC' };
		const output = await executeForJson({ service, parameters: { ...parameters, filters, options } });
		const [sent] = service.requestsOf('videoList');
		expect(sent?.query).toEqual({ ...filters, ...options, page: '1' });
		expect(output.map(({ name }) => name)).toEqual(['b.mp4', 'a.mp4']);
	});

	it.each([
		['a date alone', '2026-01-01', '2026-01-01'],
		['a time of the workflow', '2026-01-02T6:00', '2026-01-02 05:00:00'],
		['a date with an offset', '2026-01-02T00:00:00-03:00', '2026-01-02 03:00:00'],
		['a date of an expression', "={{ new Date('2026-12-30T00:00:00Z') }}", '2026-12-30 00:00:00'],
	])('sends %s in UTC as a date filter', async (_what, initialDate, sent) => {
		await executeNode({ service, parameters: { ...parameters, filters: { initialDate } } });
		expect(service.requestsOf('videoList')[0]?.query).toEqual({ page: '1', initialDate: sent });
	});

	it.each(['uuid', 'name', 'list'] as const)('returns the videos of a folder: by %s', async (mode) => {
		const [webinars, other] = service.seedFolders([{ name: 'Webinars' }, { name: 'Other' }]);
		const folders = [null, webinars?.uuid, other?.uuid];
		service.seedVideos([...Array(60).keys()].map((n) => ({ folder: folders[n % 3] ?? null })));
		const folder = by(mode, mode === 'name' ? 'Webinars' : (webinars?.uuid ?? ''));
		const inFolder = { ...parameters, returnAll: true, filters: { folder } };
		const found = await executeForJson({ service, parameters: inFolder });
		expect(found.map((video) => video.folder_uuid)).toEqual(Array(20).fill(webinars?.uuid));
		const limited = { ...parameters, limit: 7, filters: { folder } };
		expect(await executeForJson({ service, parameters: limited })).toHaveLength(7);
	});

	it('says so when no record contains the folder to filter by, and where to look', async () => {
		service.settings.videoFolders = false;
		service.seedVideos(3);
		const [folder] = service.seedFolders([{ name: 'Webinars' }]);
		const filters = { folder: by('uuid', folder?.uuid ?? '') };
		await expect(executeNode({ service, parameters: { ...parameters, filters } })).rejects.toMatchObject({
			message:
				'The records of the videos do not contain their folder, so the filter Folder cannot be applied',
			description: expect.stringContaining('folder_uuid') as string,
		});
	});

	it.each([
		['50 by default', {}, 50, [1, 2, 3]],
		['no more than Limit, of one page', { limit: 20 }, 20, [1]],
		['all', { returnAll: true }, 55, [1, 2, 3, 4]],
	])('returns %s, as Search does', async (_what, given, count, pages) => {
		const seeded = service.seedVideos(55);
		for (const own of [parameters, { ...operation('search'), name: 'Video' }]) {
			service.requests.length = 0;
			const output = await executeForJson({ service, parameters: { ...own, ...given } });
			expect(output.map(({ hash }) => hash)).toEqual(seeded.slice(0, count).map(({ hash }) => hash));
			expect(pagesAsked()).toEqual(pages);
		}
	});
});

describe('A plan and a hash from outside', () => {
	it.each([
		['delete', 'videoDelete', {}],
		['update', 'videoEdit', { name: 'x' }],
	] as const)('stay in their places of the path: %s', async (name, recorded, more) => {
		service.settings.plans[`${HOSTILE} plan`] = 's';
		service.seedVideos([{ hash: HOSTILE, planId: `${HOSTILE} plan` }]);
		await executeNode({
			service,
			parameters: {
				...operation(name),
				options: { planId: `${HOSTILE} plan` },
				video: by('hash', HOSTILE),
				...more,
			},
		});
		const [sent] = service.requestsOf(recorded);
		expect(sent?.status).toBe(200);
		expect(sent?.path.split('/').slice(-2)).toEqual([
			encodeURIComponent(HOSTILE),
			encodeURIComponent(`${HOSTILE} plan`),
		]);
	});

	it.each(['..', '.'])('cannot leave the path: %s', async (segment) => {
		const run = executeNode({
			service,
			parameters: { ...operation('delete'), options: { planId: segment }, video: by('hash', segment) },
		});
		await expect(run).rejects.toThrow(/^Plan not found/);
		expect(service.requests[1]?.path.split('/')).toHaveLength(6);
		expect(service.requests[1]?.path).toMatch(/^\/v1\/videos\/deleteVideo\//);
	});
});
