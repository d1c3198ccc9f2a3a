import type { AxiosInstance } from 'axios';

import { createHeaders, json, metadata, signedIn } from './axiosClient';
import type { RunningService, ServiceSettings } from './index';
import { serviceForEachTest } from './serviceForEachTest';

// How the list of videos behaves, which the reference leaves open: each setting shows in a response.

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

type Settings = Partial<ServiceSettings>;

async function list(params: object = {}) {
	const data = { payload: { planId: 'plan-1001' } };
	return await client.get<Array<Record<string, unknown>>>('/v1/videos/application', {
		params,
		data,
		headers: json,
	});
}

const namesOf = async (params?: object) => (await list(params)).data.map(({ name }) => name);

/** Uploads a file of one byte and returns the ID of the upload. */
async function upload(filename: string): Promise<string> {
	const created = await client.post('/v1/videos', undefined, { headers: createHeaders(1, filename) });
	const id = String(created.headers.location).split('/').at(-1) ?? '';
	await client.patch(`/v1/videos/uploads/${id}`, Buffer.from('x'), {
		headers: {
			'Tus-Resumable': '1.0.0',
			'Upload-Offset': '0',
			'Upload-Metadata': metadata(filename),
			'Content-Type': 'application/offset+octet-stream',
		},
	});
	return id;
}

it.each<[Settings, string, string]>([
	[{}, 'Über (1).mp4', 'Über (1).mp4'],
	[{ videoNameKeepsExtension: false }, 'Lesson 1.mp4', 'Lesson 1'],
	[{ videoNameSanitized: true }, 'Über (1).mp4', '_ber__1_.mp4'],
	[{ videoNameLowerCase: true }, 'Clip.MP4', 'clip.mp4'],
	[{ videoNameForm: 'NFC' }, 'u\u0308.mp4', '\u00fc.mp4'],
	[{ videoNameForm: 'NFD' }, '\u00fc.mp4', 'u\u0308.mp4'],
	[{ videoNameLength: 4 }, 'long.mp4', 'long'],
])('with %j, the video of an upload "%s" is named "%s"', async (settings, filename, stored) => {
	Object.assign(service.settings, settings);
	await upload(filename);
	expect(await namesOf()).toEqual([stored]);
});

const names = ['clip', 'Clip.mp4', 'my clip', '\u00fc', 'u\u0308'];
it.each<[Settings, string, number[]]>([
	[{}, 'clip', [0, 1, 2]],
	[{ videoNameFilter: 'prefix' }, 'clip', [0, 1]],
	[{ videoNameFilter: 'exact' }, 'clip', [0]],
	[{ videoNameFilter: 'ignored' }, 'clip', [0, 1, 2, 3, 4]],
	[{ videoNameFilterCase: 'compared' }, 'clip', [0, 2]],
	[{}, '\u00fc', [3]],
	[{ videoNameFilterForm: 'NFC' }, 'u\u0308', [3, 4]],
])('with %j, the filter by "%s" passes the names number %j', async (settings, name, passed) => {
	Object.assign(service.settings, settings);
	service.seedVideos(names.map((each) => ({ name: each })));
	expect(await namesOf({ name })).toEqual(passed.map((index) => names[index]));
});

it.each<[Settings, object, string]>([
	[{}, {}, 'bac'],
	[{ videoOrder: 'newestFirst' }, {}, 'cab'],
	[{ videoOrder: 'random' }, {}, 'cba'],
	[{ videoOrder: 'newestFirst' }, { orderBy: 'name', sort: 'asc' }, 'abc'],
	[{ videoOrder: 'newestFirst', videoOrderByIgnored: true }, { orderBy: 'name', sort: 'asc' }, 'cab'],
	[{ videoOrder: 'newestFirst', videoDates: 'day' }, { orderBy: 'created_date', sort: 'asc' }, 'cab'],
])('with %j and the query %j, the order is %s', async (settings, params, expected) => {
	Object.assign(service.settings, settings);
	const dated = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
	service.seedVideos([
		{ name: 'b', hash: '2', createdDate: dated(1) },
		{ name: 'a', hash: '3', createdDate: dated(2) },
		{ name: 'c', hash: '1', createdDate: dated(3) },
	]);
	expect((await namesOf(params)).join('')).toBe(expected);
});

it.each<[Settings, object]>([
	[{}, { created_date: '2026-01-01T10:20:30.456Z', folder_uuid: null, size: 5 }],
	[
		{ videoDates: 'seconds', videoFolders: false },
		{ created_date: '2026-01-01T10:20:30Z', size: 5 },
	],
	[
		{ videoDates: 'day', videoSizes: false },
		{ created_date: '2026-01-01', folder_uuid: null },
	],
	[{ videoDates: 'epoch' }, { created_date: 1_767_262_830_456, folder_uuid: null, size: 5 }],
	[{ videoDates: 'none' }, { folder_uuid: null, size: 5 }],
])('with %j, a record is %j', async (settings, expected) => {
	Object.assign(service.settings, settings);
	service.seedVideos([{ name: 'a', hash: 'h', size: 5, createdDate: '2026-01-01T10:20:30.456Z' }]);
	expect((await list()).data).toEqual([{ name: 'a', hash: 'h', ...expected }]);
});

it('the clock of the service can be wrong, in dates and in the Date header', async () => {
	service.settings.clockOffsetMinutes = -120;
	await upload('clip.mp4');
	const { data, headers } = await list();
	for (const date of [data[0]?.created_date, headers.date]) {
		expect(Math.abs(Date.parse(String(date)) + 120 * 60_000 - Date.now())).toBeLessThan(30_000);
	}
});

it('videos can be listed out of order, the same way for the same seed', async () => {
	Object.assign(service.settings, { videoAppearsAfterMs: 5_000, videoLagSpreadMs: 60_000 });
	const before = Date.now();
	for (let index = 0; index < 5; index += 1) await upload(`${index}.mp4`);
	expect(await namesOf()).toEqual([]);
	const lags = service.state.videos.map(({ appearsAt }) => appearsAt - before);
	expect(Math.min(...lags)).toBeGreaterThanOrEqual(5_000);
	expect([...lags].sort((a, b) => a - b)).not.toEqual(lags);
	expect(service.state.videos[0]).toMatchObject({
		uploadId: service.state.uploads[0]?.id,
		sha256: service.state.uploads[0]?.sha256,
	});
});

it('a new folder can be listed later, and be used before', async () => {
	service.settings.folderAppearsAfterMs = 60_000;
	const { data } = await client.post('/v1/folders', { name: 'New' });
	expect((await client.get('/v1/folders')).data).toEqual([]);
	expect((await client.put(`/v1/folders/${data.uuid}`, { name: 'Old' })).status).toBe(200);
	service.settings.folderAppearsAfterMs = 0;
	expect((await client.get('/v1/folders')).data).toMatchObject([{ name: 'Old' }]);
});

it('upload IDs can count from 1', async () => {
	service.settings.uploadIds = 'numeric';
	expect([await upload('a.mp4'), await upload('b.mp4')]).toEqual(['1', '2']);
});

it('a list can leave records out once', async () => {
	Object.assign(service.settings, { listShape: 'data' });
	service.seedVideos(3);
	service.seedFolders(2);
	service.injectFault({ on: ['videoList', 'folderList'], kind: 'shortList', records: 1, times: 2 });
	expect((await list()).data).toMatchObject({ data: [{}], total: 3 });
	expect((await client.get('/v1/folders')).data).toMatchObject({ data: [{}], total: 2 });
	expect((await list()).data).toMatchObject({ data: [{}, {}, {}], total: 3 });
});
