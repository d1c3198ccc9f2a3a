import type { AxiosInstance } from 'axios';

import { axiosClient, json, jsonUtf8, signedIn, signIn } from './axiosClient';
import type { RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

const payload = { payload: { planId: 'plan-1001' } };

describe('authenticate', () => {
	it('returns a token for email, password and application', async () => {
		const { status, data } = await signIn(service);
		expect([status, typeof data.token]).toEqual([200, 'string']);
		expect((await axiosClient(service, data.token).get('/v1/folders/total')).status).toBe(200);
	});

	it.each([
		['password', { password: 'wrong' }, 401, 'Invalid email or password'],
		['application', { resource: '00000000-0000-4000-8000-000000000000' }, 401, 'Application not found'],
		['form of the application', { resource: 'no-uuid' }, 400, 'Bad Request'],
	])('rejects a wrong %s with its error message', async (_what, wrong, status, error) => {
		const { email, password, applicationId } = service.credential;
		const body = { email, password, resource: applicationId, ...wrong };
		const response = await axiosClient(service).post('/v1/authenticate', body, { headers: json });
		expect([response.status, response.data]).toEqual([status, { error }]);
	});
});

describe('live events', () => {
	it('are created, and found by hash without the plan secret', async () => {
		const given = { planId: 'plan-1001', title: 'Opening', dateScheduled: '2031-05-06 19:30:00' };
		const created = await client.post('/v1/events/insert', given, { headers: json });
		expect(created.status).toBe(200);
		const found = await client.get('/v1/events/searchByHash', {
			params: { planId: 'plan-1001', hash: created.data.hash },
			headers: { Accept: 'application/json', ...json },
		});
		expect(found.data).toEqual({ ...given, eventId: 4001, hash: created.data.hash, status: 'WAITING_LIVE' });
	});

	it('are listed by page, ordered by date, with the plan secret', async () => {
		const [first, second, third] = service.seedEvents(3);
		service.seedEvents([{ planId: 'plan-2002' }]);
		const params = { planId: 'plan-1001', quantity: 2, orderBy: 'date' };
		const hashesOnPage = async (actualPage: number, orderType: string) =>
			(await client.get('/v1/events/searchAll', { params: { ...params, actualPage, orderType } })).data;
		expect(await hashesOnPage(1, 'ASC')).toMatchObject([{ hash: first?.hash }, { hash: second?.hash }]);
		expect(await hashesOnPage(2, 'ASC')).toMatchObject([{ hash: third?.hash, secret: 'plan-secret-7Qm2' }]);
		expect(await hashesOnPage(1, 'DESC')).toMatchObject([{ hash: third?.hash }, { hash: second?.hash }]);
		expect(await hashesOnPage(3, 'ASC')).toEqual([]);
	});

	it('are renamed with eventId, hash and the plan secret', async () => {
		const [event] = service.seedEvents(1);
		const body = { title: 'New', eventId: event?.eventId, hash: event?.hash, secret: 'plan-secret-7Qm2' };
		expect((await client.put('/v1/events/update', body)).status).toBe(200);
		expect(service.state.events[0]?.title).toBe('New');
		const wrong = await client.put('/v1/events/update', {
			...body,
			title: 'Newer',
			secret: 'plan-secret-9Xz4',
		});
		expect([wrong.status, wrong.data]).toEqual([403, { error: 'Invalid plan secret' }]);
		expect(service.state.events[0]?.title).toBe('New');
	});

	it('go live and end', async () => {
		const [event] = service.seedEvents(1);
		const body = { hash: event?.hash, secret: 'plan-secret-7Qm2' };
		const act = (status: string) =>
			client.put('/v1/events/start-or-end-live', { ...body, status }, { headers: jsonUtf8 });
		expect((await act('LIVE')).data.status).toBe('LIVE');
		expect((await act('END')).data.status).toBe('ON_DEMAND');
		expect((await act('STOP')).status).toBe(400);
	});

	it('are deleted by their numbers, all or none', async () => {
		const [first, second] = service.seedEvents(2);
		const remove = (eventIds: unknown) =>
			client.delete('/v1/events/delete', { data: { eventIds }, headers: jsonUtf8 });
		expect((await remove([first?.eventId, 1])).status).toBe(404);
		expect(service.state.events).toHaveLength(2);
		const { status, data } = await remove([first?.eventId, second?.eventId]);
		expect([status, data]).toEqual([200, { success: 'Event deleted successfully' }]);
		expect(service.state.events).toEqual([]);
	});
});

describe('galleries', () => {
	it('are created, counted and listed', async () => {
		const created = await client.post('/v1/folders', { name: 'Concerts' });
		expect(created.data).toMatchObject({ name: 'Concerts', parentId: null, hierarchyLevel: null });
		expect((await client.get('/v1/folders/total')).data).toEqual({ folders: 1 });
		expect((await client.get('/v1/folders')).data).toEqual([created.data]);
	});

	it.each(['put', 'patch'] as const)('are updated by %s', async (method) => {
		const [folder] = service.seedFolders([{ name: 'Old', description: 'kept' }]);
		const { status, data } = await client[method](`/v1/folders/${folder?.uuid}`, { name: 'New' });
		expect([status, data.name, data.description]).toEqual([200, 'New', 'kept']);
	});

	it('are not found under another UUID', async () => {
		const { status, data } = await client.put('/v1/folders/00000000-0000-4000-8000-000000000000', {
			name: 'New',
		});
		expect([status, data]).toEqual([404, { error: 'Folder not found' }]);
	});

	it('are deleted by UUID and name, which returns a bare number', async () => {
		const [folder] = service.seedFolders([{ name: 'Concerts' }]);
		const remove = (name: string) => client.delete(`/v1/folders/${folder?.uuid}`, { data: { name } });
		expect((await remove('Congress')).status).toBe(400);
		const { status, data } = await remove('Concerts');
		expect([status, data]).toEqual([200, 1]);
		expect(service.state.folders).toEqual([]);
	});
});

describe('videos', () => {
	it('are listed with the plan in the body of a GET', async () => {
		const videos = service.seedVideos(25);
		const page = (number: number) =>
			client.get('/v1/videos/application', { params: { page: number }, data: payload, headers: json });
		expect((await page(1)).data).toHaveLength(20);
		expect((await page(2)).data).toHaveLength(5);
		expect((await page(2)).data[0].hash).toBe(videos[20]?.hash);
		expect(service.requestsOf('videoList')[0]?.body).toEqual(payload);
	});

	it('are found by part of their name, by date, and sorted', async () => {
		service.seedVideos([
			{ name: 'b-side.mp4', createdDate: '2030-01-02T10:00:00.000Z' },
			{ name: 'a-side.mp4', createdDate: '2030-01-03T10:00:00.000Z' },
			{ name: 'trailer.mp4', createdDate: '2030-01-04T10:00:00.000Z' },
		]);
		const names = async (params: object) => {
			const { data } = await client.get('/v1/videos/application', { params, data: payload, headers: json });
			return data.map(({ name }: { name: string }) => name);
		};
		expect(await names({ name: 'SIDE', orderBy: 'name', sort: 'asc' })).toEqual(['a-side.mp4', 'b-side.mp4']);
		expect(await names({ orderBy: 'created_date', sort: 'desc' })).toHaveLength(3);
		expect(await names({ initialDate: '2030-01-03', endDate: '2030-01-03' })).toEqual(['a-side.mp4']);
	});

	it('are renamed, moved and deleted', async () => {
		const [video] = service.seedVideos(1);
		const [folder] = service.seedFolders(1);
		const path = `${video?.hash}/plan-1001`;
		await client.put(`/v1/videos/editVideo/${path}`, { name: 'Final' }, { headers: json });
		await client.put(`/v1/videos/moveVideo/${video?.hash}`, { folder_uuid: folder?.uuid }, { headers: json });
		expect(service.state.videos).toMatchObject([{ name: 'Final', folder: folder?.uuid }]);
		expect((await client.delete(`/v1/videos/deleteVideo/${path}`, { headers: json })).status).toBe(200);
		expect(service.state.videos).toEqual([]);
	});

	it('belong to one plan', async () => {
		const [video] = service.seedVideos(1);
		const other = await client.delete(`/v1/videos/deleteVideo/${video?.hash}/plan-2002`, { headers: json });
		expect([other.status, other.data]).toEqual([404, { error: 'Video not found' }]);
	});

	it('get a thumbnail as the one part "file", kept with its name and type', async () => {
		const [video] = service.seedVideos(1);
		const form = new FormData();
		form.append('file', new Blob(['PNG bytes'], { type: 'image/png' }), 'überblick 1.png');
		const response = await client.put(`/v1/videos/uploadThumb/${video?.hash}/plan-1001`, form);
		expect(response.status).toBe(200);
		expect(service.requestsOf('videoThumbnail')[0]?.form).toEqual([
			{
				field: 'file',
				filename: 'überblick 1.png',
				contentType: 'image/png',
				bytes: Buffer.from('PNG bytes'),
			},
		]);
		expect(service.state.videos[0]?.thumbnail).toMatchObject({ contentType: 'image/png', bytes: 9 });
	});
});

describe('disk usage', () => {
	it('is returned for the application and for one gallery', async () => {
		const [folder] = service.seedFolders([{ name: 'Concerts' }]);
		service.seedVideos([{ size: 300, folder: folder?.uuid, name: 'one.mp4' }, { size: 700 }]);
		const app = await client.get('/v1/videos/diskusagebyapp', { headers: json, data: {} });
		expect(app.data).toMatchObject({ diskUsage: 1000, videos: 2 });
		const path = `/v1/videos/diskusagebyfolderandvideo/${folder?.uuid}`;
		const inFolder = await client.get(path, { headers: json, data: {} });
		expect(inFolder.data).toMatchObject({
			folder: 'Concerts',
			diskUsage: 300,
			videos: [{ name: 'one.mp4' }],
		});
	});
});
