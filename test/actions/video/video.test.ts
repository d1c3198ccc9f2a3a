import type { INodeParameters } from 'n8n-workflow';

import { executeForJson, executeNode } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { service, serviceForEachTest } from '../../fakeService/serviceForEachTest';

serviceForEachTest();

const operation = (name: string) => ({ resource: 'video', operation: name });
/** Every character that has a meaning in an address. */
const HOSTILE = 'a/b?c=d&e#f%2F+;g\\h"ü..';

describe('Video → Move', () => {
	it('needs no plan for a video by its hash', async () => {
		const [video] = service.seedVideos(1);
		const [folder] = service.seedFolders(1);
		const chosen = { video: by('hash', video?.hash ?? ''), folder: by('uuid', folder?.uuid ?? '') };
		const parameters = { ...operation('move'), ...chosen };
		await executeForJson({ service, parameters, credential: { planId: '' } });
		expect(service.state.videos).toMatchObject([{ folder: folder?.uuid }]);
	});
});

describe('Video → Get', () => {
	const get = { ...operation('get'), video: by('hash', '={{ $json.hash }}') };

	it('reads the list in its default order when the service rejects the sort direction', async () => {
		const [video] = service.seedVideos(1);
		service.injectFault({ on: 'videoList', kind: 'status', status: 400, error: 'sort' });
		const items = [{ json: { hash: video?.hash } }];
		expect(await executeForJson({ service, parameters: get, items })).toMatchObject([{ hash: video?.hash }]);
	});

	it('fails for videos that the plan does not have, and reads the list once', async () => {
		service.seedVideos(5);
		const items = ['a', 'b'].map((hash) => ({ json: { hash } }));
		const run = { service, parameters: get, items, onError: 'continueRegularOutput' } as const;
		expect(await executeForJson(run)).toEqual(
			['a', 'b'].map((hash) => ({
				hash,
				error: `The plan plan-1001 has no video with the hash "${hash}". Check Video and Plan ID. A new video may take a while to be listed.`,
			})),
		);
		expect(service.requestsOf('videoList').map(({ query }) => query.page)).toEqual(['1', '2']);
	});
});

it.each([
	['get', ['authenticate', 'videoList', 'videoList'], {}],
	['delete', ['authenticate', 'videoList', 'videoList', 'videoDelete'], { deleted: true }],
])(
	'Video → %s By Name reads what the service finds by the name, not the whole list',
	async (name, sent, output) => {
		service.seedVideos([...Array(500).keys()].map((n) => ({ name: `Video ${n}`, hash: `h${n}` })));
		const parameters = { ...operation(name), video: by('name', 'Video 7') };
		const found = { ...output, name: 'Video 7', hash: 'h7' };
		expect(await executeForJson({ service, parameters })).toMatchObject([found]);
		expect(service.requests.map((request) => request.operation)).toEqual(sent);
	},
);

describe('Video → Get Many', () => {
	const parameters = operation('getAll');

	it.each([
		['2026-05-02', '2026-05-01'],
		['2026-05-01 10:01', '2026-05-01T10:00'],
		['2026-05-04 10:00', '2026-05-01'],
		['2026-05-04', '2026-05-01 10:00'],
	])('rejects a range that is reversed before any request: %s to %s', async (initialDate, endDate) => {
		const filters = { initialDate, endDate };
		const run = executeNode({ service, parameters: { ...parameters, filters } });
		await expect(run).rejects.toThrow('Created From must not be later than Created Until');
		expect(service.requests).toEqual([]);
	});

	it.each([
		['may exist in some zone', '2026-05-02 10:00', '2026-05-01'],
		['is one moment', '2026-05-01 10:00', '2026-05-01 10:00'],
	])('accepts a range that %s: %s to %s', async (_what, initialDate, endDate) => {
		const filters = { initialDate, endDate };
		expect(await executeForJson({ service, parameters: { ...parameters, filters } })).toEqual([]);
	});

	it('sends every filter and the order in the query', async () => {
		const filters = { name: '.mp4', initialDate: '2026-01-01', endDate: '2026-12-31' };
		const options = { orderBy: 'name', sort: 'DESC' };
		await executeForJson({ service, parameters: { ...parameters, filters, options } });
		expect(service.requestsOf('videoList')[0]?.query).toEqual({ ...filters, ...options, page: '1' });
	});

	it.each([
		['a date alone', '2026-01-01', '2026-01-01'],
		['a date and time', '2026-01-02T6:00', '2026-01-01 05:00:00'],
		['a number of milliseconds', Date.UTC(2026, 0, 2, 5), '2026-01-01 05:00:00'],
		['a time that the clock of the workflow skips', '2026-03-30 02:30', '2026-03-29 00:30:00'],
	])('sends %s as a date filter, a time in UTC and a day wider', async (_what, initialDate, sent) => {
		await executeNode({ service, parameters: { ...parameters, filters: { initialDate } } });
		expect(service.requestsOf('videoList')[0]?.query).toEqual({ page: '1', initialDate: sent });
	});

	const initialDate = '2026-05-01T12:00:00+02:00';
	const endDate = '2026-05-01T14:00:00';
	it.each([
		[{ initialDate, endDate }, ['h1', 'h2']],
		[{ initialDate }, ['h1', 'h2', 'h3']],
		[{ endDate }, ['h0', 'h1', 'h2']],
	])('returns the videos that were created within %j, if any of them shows when', async (filters, hashes) => {
		const dates = ['2026-05-01T09:59:59Z', '2026-05-01 10:00:00', '1777636800000', '2026-05-01T12:00:01Z'];
		const records = [...dates, '01/05/2026'].map((createdDate, hash) => ({ hash: `h${hash}`, createdDate }));
		service.injectFault({ on: 'videoList', kind: 'status', status: 200, body: JSON.stringify(records) });
		const output = await executeForJson({ service, parameters: { ...parameters, filters } });
		expect(output.map(({ hash }) => hash)).toEqual(hashes);
		const unreadable = records.slice(4);
		service.injectFault({ on: 'videoList', kind: 'status', status: 200, body: unreadable });
		const run = executeForJson({ service, parameters: { ...parameters, filters } });
		await expect(run).rejects.toThrow(/^No video that was read has a readable date/);
	});

	it('returns the videos of a folder, up to Limit', async () => {
		const [webinars, other] = service.seedFolders([{ name: 'Webinars' }, { name: 'Other' }]);
		const folders = [null, webinars?.uuid, other?.uuid];
		service.seedVideos([...Array(60).keys()].map((n) => ({ folder: folders[n % 3] ?? null })));
		for (const [given, count] of [
			[{ returnAll: true }, 20],
			[{ limit: 7 }, 7],
		] as const) {
			const filters = { folder: by('name', 'Webinars') };
			const found = await executeForJson({ service, parameters: { ...parameters, ...given, filters } });
			expect(found.map((video) => video.folder_uuid)).toEqual(Array(count).fill(webinars?.uuid));
		}
	});
});

describe('A plan and a hash from outside', () => {
	it('stay in their places of the path', async () => {
		const planId = `${HOSTILE} plan`;
		service.settings.plans[planId] = 's';
		service.seedVideos([{ hash: HOSTILE, planId }]);
		const parameters = { ...operation('delete'), options: { planId }, video: by('hash', HOSTILE) };
		await executeNode({ service, parameters });
		const [sent] = service.requestsOf('videoDelete');
		expect(sent?.status).toBe(200);
		expect(sent?.path.split('/').slice(-2)).toEqual([HOSTILE, planId].map(encodeURIComponent));
	});

	it.each([
		['..', '%252E%252E'],
		['.', '%252E'],
	])('cannot leave the path: %s', async (segment, sent) => {
		const run = executeNode({
			service,
			parameters: { ...operation('delete'), options: { planId: segment }, video: by('hash', segment) },
		});
		await expect(run).rejects.toThrow(/^Plan not found/);
		expect(service.requests[1]?.path).toBe(`/v1/videos/deleteVideo/${sent}/${sent}`);
	});
});

describe('Video → Get Many with a range', () => {
	const run = async (filters: INodeParameters, timezone = 'UTC') =>
		await executeForJson({
			service,
			timezone,
			parameters: { resource: 'video', operation: 'getAll', filters },
		});

	it('returns videos whose record shows only a day that is partly in it', async () => {
		service.settings.videoDates = 'day';
		service.seedVideos([{ hash: 'v1', createdDate: '2026-05-01T15:00:00.000Z' }]);
		expect(await run({ initialDate: '2026-05-01T00:00:00' }, 'America/New_York')).toMatchObject([
			{ hash: 'v1' },
		]);
		expect(await run({ initialDate: '2026-05-02T10:00:00' })).toEqual([]);
	});

	it.each([
		[{ endDate: '9999-12-31 23:59:59' }, { endDate: '9999-12-31 23:59:59' }],
		[{ initialDate: '0001-01-01T00:00:00Z' }, { initialDate: '0001-01-01 00:00:00' }],
	])('sends years of four digits alone: %j', async (filters, query) => {
		service.seedVideos(1);
		await run(filters);
		expect(service.requestsOf('videoList')[0]?.query).toMatchObject(query);
	});
});
