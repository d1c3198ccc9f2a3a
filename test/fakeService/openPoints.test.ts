import type { AxiosInstance } from 'axios';

import { axiosClient, json, signedIn, signIn } from './axiosClient';
import type { RunningService, ServiceSettings } from './index';
import { serviceForEachTest } from './serviceForEachTest';

// What the reference leaves open: each setting shows in a response.

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

async function events(actualPage = 1, quantity = 10) {
	const params = { planId: 'plan-1001', actualPage, quantity, orderBy: 'date', orderType: 'ASC' };
	return await client.get('/v1/events/searchAll', { params });
}

async function videos(page?: number) {
	const data = { payload: { planId: 'plan-1001' } };
	return await client.get('/v1/videos/application', { params: { page }, data, headers: json });
}

it.each<[ServiceSettings['authenticateResponse'], (token: string) => unknown]>([
	['token', (token) => ({ token })],
	['access_token', (token) => ({ access_token: token })],
	['accessToken', (token) => ({ accessToken: token })],
	['string', (token) => token],
	['text', (token) => token],
	['data.token', (token) => ({ data: { token } })],
	['result.accessToken', (token) => ({ result: { accessToken: token } })],
	['user.token', (token) => ({ user: { id: 7, email: 'producer@example.com', token } })],
	['several', (token) => expect.objectContaining({ access_token: token, refresh_token: expect.any(String) })],
])('authenticate responds in the form %s, with a token that works', async (form, expected) => {
	service.settings.authenticateResponse = form;
	const { data } = await signIn(service);
	const [token] = /token-[\w-]{20,}/.exec(JSON.stringify(data).replace(/refresh-\S+?"/, '')) ?? [''];
	expect(data).toEqual(expected(token));
	expect((await axiosClient(service, token).get('/v1/folders')).status).toBe(200);
});

it('authenticate can respond without any token', async () => {
	service.settings.authenticateResponse = 'none';
	expect((await signIn(service)).data).toEqual({ message: 'Welcome', user: { id: 7 } });
});

it('a JSON string and plain text differ in quotes and type', async () => {
	service.settings.authenticateResponse = 'string';
	const { email, password, applicationId } = service.credential;
	const raw = async () => {
		const response = await fetch(`${service.baseUrl}/v1/authenticate`, {
			method: 'POST',
			headers: json,
			body: JSON.stringify({ email, password, resource: applicationId }),
		});
		return `${response.headers.get('content-type')} ${await response.text()}`;
	};
	expect(await raw()).toMatch(/^application\/json; charset=utf-8 "token-.*"$/);
	service.settings.authenticateResponse = 'text';
	expect(await raw()).toMatch(/^text\/plain; charset=utf-8 token-.*[^"]$/);
});

it.each<[ServiceSettings['listShape'], (records: unknown[]) => unknown]>([
	['array', (records) => records],
	['data', (data) => ({ data, total: 3 })],
	['items', (items) => ({ items, total: 3 })],
	['results', (results) => ({ results, total: 3 })],
	['records', (records) => ({ records, total: 3 })],
	['resource', (records) => ({ events: records, total: 3 })],
	['data.items', (items) => ({ data: { items, total: 3 } })],
	['data.resource', (records) => ({ data: { events: records }, success: true })],
	['content', (content) => ({ content, totalPages: 2, page: 1 })],
])('lists come in the shape %s', async (listShape, expected) => {
	service.seedEvents(3);
	const { data: records } = await events(1, 2);
	expect(records).toHaveLength(2);
	service.settings.listShape = listShape;
	expect((await events(1, 2)).data).toEqual(expected(records));
});

it.each<[ServiceSettings['emptyList'], number, unknown]>([
	['list', 200, { data: [], total: 0 }],
	['404', 404, { error: 'No folders found' }],
	['null', 200, null],
])('an empty list is %s', async (emptyList, status, expected) => {
	Object.assign(service.settings, { emptyList, listShape: 'data' });
	const response = await client.get('/v1/folders');
	expect([response.status, response.data]).toEqual([status, expected]);
});

it.each<[ServiceSettings['singleShape'], unknown]>([
	['record', expect.objectContaining({ name: 'F' })],
	['data', { data: expect.objectContaining({ name: 'F' }) }],
	['resource', { folder: expect.objectContaining({ name: 'F' }) }],
	['array', [expect.objectContaining({ name: 'F' })]],
])('one record comes as %s', async (singleShape, expected) => {
	service.settings.singleShape = singleShape;
	expect((await client.post('/v1/folders', { name: 'F' })).data).toEqual(expected);
});

it.each<[ServiceSettings['writeResponse'], unknown]>([
	['record', expect.objectContaining({ name: 'F' })],
	['success', { success: 'Folder created' }],
	['empty', ''],
])('the response to a write is %s', async (writeResponse, expected) => {
	service.settings.writeResponse = writeResponse;
	expect((await client.post('/v1/folders', { name: 'F' })).data).toEqual(expected);
});

it.each<[ServiceSettings['recordNames'], string[], string[]]>([
	[
		'camelCase',
		['eventId', 'hash', 'title', 'dateScheduled', 'status', 'planId', 'secret'],
		['hash', 'name', 'created_date', 'folder_uuid', 'size'],
	],
	[
		'snake_case',
		['event_id', 'event_hash', 'title', 'date_scheduled', 'status', 'plan_id', 'plan_secret'],
		['video_hash', 'video_name', 'created_at', 'gallery_uuid', 'file_size'],
	],
	[
		'plain',
		['id', 'hash', 'name', 'date', 'status', 'secret'],
		['id', 'hash', 'title', 'date', 'folder', 'bytes'],
	],
	[
		'nestedPlan',
		['eventId', 'hash', 'title', 'dateScheduled', 'status', 'plan'],
		['videoHash', 'name', 'createdDate', 'folder', 'sizeInBytes', 'plan'],
	],
])('records carry their fields under %s names', async (recordNames, eventFields, videoFields) => {
	service.settings.recordNames = recordNames;
	service.seedEvents(1);
	service.seedVideos(1);
	expect(Object.keys((await events()).data[0])).toEqual(eventFields);
	expect(Object.keys((await videos()).data[0])).toEqual(videoFields);
});

it('the plan secret is in every event record on request', async () => {
	service.settings.secretInEveryResponse = true;
	const [event] = service.seedEvents(1);
	const params = { planId: 'plan-1001', hash: event?.hash };
	// axios sends Content-Type only with a body.
	const { data } = await client.get('/v1/events/searchByHash', { params, headers: json, data: {} });
	expect(data.secret).toBe('plan-secret-7Qm2');
});

it('a page is no larger than the cap', async () => {
	service.settings.pageSizeCap = 2;
	service.seedEvents(5);
	service.seedVideos(5);
	expect((await events(3, 100)).data).toHaveLength(1);
	expect((await videos(2)).data).toHaveLength(2);
});

it('every page is the first one when page numbers are ignored', async () => {
	service.settings.pageNumberIgnored = true;
	service.seedEvents(5);
	expect((await events(2, 2)).data).toEqual((await events(1, 2)).data);
});

it('beyond the last page the last one comes again on request', async () => {
	service.seedEvents(3);
	expect((await events(9, 2)).data).toEqual([]);
	service.settings.pastLastPage = 'lastPage';
	expect((await events(9, 2)).data).toEqual((await events(2, 2)).data);
});

it('pages of events can start at 0', async () => {
	service.settings.firstEventPage = 0;
	const [first] = service.seedEvents(3);
	expect((await events(0, 2)).data[0].hash).toBe(first?.hash);
});

it('disk usage can be a bare number', async () => {
	service.settings.diskUsageShape = 'number';
	service.seedVideos([{ size: 5 }, { size: 6 }]);
	expect((await client.get('/v1/videos/diskusagebyapp', { headers: json, data: {} })).data).toBe(11);
});

it('the action of start-or-end can have another name, and an END another effect', async () => {
	Object.assign(service.settings, { startOrEndActionField: 'action', statusAfterEnd: 'WAITING_LIVE' });
	const [event] = service.seedEvents([{ status: 'LIVE' }]);
	const body = { hash: event?.hash, secret: 'plan-secret-7Qm2', action: 'END' };
	const headers = { 'Content-Type': 'application/json; charset=utf-8' };
	expect((await client.put('/v1/events/start-or-end-live', body, { headers })).data.status).toBe(
		'WAITING_LIVE',
	);
});

describe('a token', () => {
	it('serves so many requests', async () => {
		service.settings.tokenLifetimeRequests = 2;
		const statuses: number[] = [];
		for (let sent = 0; sent < 3; sent += 1) statuses.push((await client.get('/v1/folders')).status);
		expect(statuses).toEqual([200, 200, 401]);
	});

	it('serves so long', async () => {
		service.settings.tokenLifetimeMs = 60_000;
		const now = jest.spyOn(Date, 'now');
		expect((await client.get('/v1/folders')).status).toBe(200);
		const later = Date.now() + 60_000;
		now.mockReturnValue(later);
		expect((await client.get('/v1/folders')).status).toBe(401);
		now.mockRestore();
	});

	it('belongs to the application that signed in', async () => {
		const other = '9d5c8f00-1111-4222-8333-944455556666';
		service.settings.otherApplicationIds.push(other);
		service.seedVideos([{ size: 5 }, { size: 6, applicationId: other }]);
		client = await signedIn(service, other);
		const { data } = await client.get('/v1/videos/diskusagebyapp', { headers: json, data: {} });
		expect(data).toEqual({ applicationId: other, diskUsage: 6, videos: 1 });
	});
});
