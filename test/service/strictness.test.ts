import { createReadStream } from 'node:fs';
import type { AxiosInstance } from 'axios';

import {
	axiosClient,
	createHeaders,
	createUpload,
	json,
	jsonUtf8,
	metadata,
	patch,
	patchHeaders,
	signedIn,
} from './axiosClient';
import { operationNames, startService, type RunningService } from './index';
import { operations, type OperationName } from './operations';

let service: RunningService;
let client: AxiosInstance;

beforeEach(async () => {
	service = await startService();
	client = await signedIn(service);
});
afterEach(async () => await service.close());

const uuid = '7c1b6f2e-0b7a-4b0e-8a57-3f6f0d1f2a3b';
const badRequest = [400, { error: 'Bad Request' }];

/** What each operation is sent when all is well. `false` takes a header away from axios. */
interface Sample {
	path?: string;
	params?: Record<string, unknown>;
	data?: unknown;
	headers?: Record<string, string | false>;
}

const accept = { Accept: 'application/json' };
const samples: Record<OperationName, Sample> = {
	authenticate: { data: { email: 'e', password: 'p', resource: uuid }, headers: { ...json } },
	eventInsert: {
		data: { planId: 'plan-1001', title: 'T', dateScheduled: '2031-02-28 10:00:00' },
		headers: { ...json },
	},
	eventUpdate: { data: { title: 'T', eventId: 1, secret: 's', hash: 'h' }, headers: { ...accept } },
	eventStartOrEnd: { data: { secret: 's', hash: 'h', status: 'LIVE' }, headers: { ...jsonUtf8 } },
	eventDelete: { data: { eventIds: [1] }, headers: { ...accept, ...jsonUtf8 } },
	eventSearchByHash: { params: { planId: 'plan-1001', hash: 'h' }, headers: { ...accept, ...json } },
	eventSearchAll: {
		params: { planId: 'plan-1001', actualPage: 1, quantity: 5, orderBy: 'date', orderType: 'ASC' },
		headers: { ...accept },
	},
	folderTotal: {},
	folderList: {},
	folderCreate: { data: { name: 'F' } },
	folderUpdate: { path: `/v1/folders/${uuid}`, data: { name: 'F' } },
	folderDelete: { path: `/v1/folders/${uuid}`, data: { name: 'F' } },
	uploadCreate: { headers: createHeaders(10) },
	uploadPatch: { path: `/v1/videos/uploads/${uuid}`, data: Buffer.alloc(10), headers: patchHeaders(0) },
	uploadHead: { path: `/v1/videos/uploads/${uuid}`, headers: { 'Tus-Resumable': '1.0.0' } },
	videoDelete: { path: '/v1/videos/deleteVideo/h/plan-1001', headers: { ...accept, ...json } },
	videoThumbnail: { path: '/v1/videos/uploadThumb/h/plan-1001', headers: { ...accept } },
	videoEdit: {
		path: '/v1/videos/editVideo/h/plan-1001',
		data: { name: 'V' },
		headers: { ...accept, ...json },
	},
	videoList: { data: { payload: { planId: 'plan-1001' } }, headers: { ...accept, ...json } },
	videoMove: {
		path: '/v1/videos/moveVideo/h',
		data: { folder_uuid: uuid },
		headers: { ...accept, ...json },
	},
	diskUsageByApplication: { headers: { ...json } },
	diskUsageByFolder: { path: `/v1/videos/diskusagebyfolderandvideo/${uuid}`, headers: { ...json } },
};

function send(name: OperationName, change: Sample = {}, as: AxiosInstance = client) {
	const { path, params, data, headers } = { ...samples[name], ...change };
	const form = name === 'videoThumbnail' && data === undefined ? thumbnailForm() : data;
	return as.request({
		method: operations[name].methods[0],
		url: path ?? operations[name].path,
		params,
		// axios sends Content-Type only with a body.
		data: form ?? (operations[name].methods[0] === 'GET' ? {} : form),
		headers: { ...headers, ...change.headers },
	});
}

function thumbnailForm(): FormData {
	const form = new FormData();
	form.append('file', new Blob(['x'], { type: 'image/png' }), 'x.png');
	return form;
}

const authorized = operationNames.filter((name) => name !== 'authenticate');

it.each(authorized)('%s without a token is refused', async (name) => {
	const { status } = await send(name, {}, axiosClient(service));
	expect(status).toBe(401);
});

it.each(authorized)('%s with an unknown token is refused', async (name) => {
	const { status } = await send(name, {}, axiosClient(service, 'never-issued'));
	expect(status).toBe(401);
});

it.each(operationNames)('%s passes all checks on its form when sent as documented', async (name) => {
	service.seedFolders([{ uuid, name: 'F' }]);
	const { status } = await send(name);
	// The hashes name nothing, and nobody signs in with password p.
	expect(name === 'authenticate' ? [401] : [200, 201, 404]).toContain(status);
});

const required: Array<[OperationName, string, Array<string | false>]> = [
	['authenticate', 'Content-Type', ['text/plain']],
	['eventInsert', 'Content-Type', ['text/plain']],
	['eventUpdate', 'Accept', [false, 'text/html']],
	['eventStartOrEnd', 'Content-Type', ['application/json', 'text/plain;charset=UTF-8']],
	['eventDelete', 'Content-Type', ['application/json', 'text/plain;charset=UTF-8']],
	['eventDelete', 'Accept', [false]],
	['eventSearchByHash', 'Accept', [false]],
	['eventSearchAll', 'Accept', [false]],
	['uploadCreate', 'Tus-Resumable', [false, '0.2.2']],
	['uploadCreate', 'Upload-Length', [false, '-1', '1.5', 'ten', '99999999999999999999']],
	[
		'uploadCreate',
		'Upload-Metadata',
		[
			false,
			'clip.mp4',
			'filename clip.mp4',
			'filename ',
			'name Y2xpcA==',
			'filename Y2xpcA',
			'filename /w==',
			`${metadata('a')},filetype YQ==`,
		],
	],
	['uploadCreate', 'Content-Type', ['text/plain']],
	['uploadCreate', 'gallery', ['Concerts']],
	['uploadPatch', 'Tus-Resumable', [false, '2.0.0']],
	['uploadPatch', 'Upload-Offset', [false, '-1', 'zero']],
	['uploadPatch', 'Upload-Metadata', [false, 'clip.mp4']],
	['uploadPatch', 'Content-Type', ['application/octet-stream']],
	['uploadPatch', 'gallery', ['Concerts']],
	['videoDelete', 'Accept', [false]],
	['videoDelete', 'Content-Type', ['text/plain']],
	['videoThumbnail', 'Accept', [false]],
	['videoEdit', 'Accept', [false]],
	['videoEdit', 'Content-Type', ['text/plain']],
	['videoList', 'Accept', [false]],
	['videoList', 'Content-Type', ['text/plain']],
	['videoMove', 'Accept', [false]],
	['videoMove', 'Content-Type', ['text/plain']],
	['diskUsageByApplication', 'Content-Type', ['text/plain']],
	['diskUsageByFolder', 'Content-Type', ['text/plain']],
];

describe.each(required)('%s needs the header %s as documented', (name, header, wrongValues) => {
	it.each(wrongValues)('not %j', async (value) => {
		const { status, data } = await send(name, { headers: { ...samples[name].headers, [header]: value } });
		expect([status, data]).toEqual(badRequest);
		expect(service.requests.at(-1)?.reason).toContain(header);
	});
});

it('a GET that must name its Content-Type is refused without one', async () => {
	for (const name of ['eventSearchByHash', 'diskUsageByApplication', 'diskUsageByFolder'] as const) {
		const { path, params } = samples[name];
		const answer = await client.get(path ?? operations[name].path, { params });
		expect([answer.status, answer.data]).toEqual(badRequest);
	}
});

it('HEAD needs Tus-Resumable', async () => {
	const id = await createUpload(client, 10);
	expect((await client.head(`/v1/videos/uploads/${id}`)).status).toBe(400);
});

it('a chunked PATCH, without Content-Length, is refused', async () => {
	const id = await createUpload(client, 10);
	const { status, data } = await client.patch(`/v1/videos/uploads/${id}`, createReadStream(__filename), {
		headers: patchHeaders(0),
	});
	expect([status, data]).toEqual(badRequest);
	expect(service.state.uploads[0]?.offset).toBe(0);
});

it('creating an upload with bytes in the body is refused', async () => {
	const { status } = await client.post('/v1/videos', Buffer.from('{}'), { headers: createHeaders(10) });
	expect(status).toBe(400);
});

it('a PATCH beyond Upload-Length is refused', async () => {
	const id = await createUpload(client, 10);
	const { status, data } = await patch(client, id, 0, Buffer.alloc(11));
	expect([status, data]).toEqual(badRequest);
});

const wrongBodies: Array<[OperationName, string, unknown]> = [
	['eventInsert', 'planId as a number', { planId: 1001, title: 'T', dateScheduled: '2031-02-28 10:00:00' }],
	['eventInsert', 'an ISO date', { planId: 'plan-1001', title: 'T', dateScheduled: '2031-02-28T10:00:00Z' }],
	[
		'eventInsert',
		'a day that does not exist',
		{ planId: 'plan-1001', title: 'T', dateScheduled: '2031-02-29 10:00:00' },
	],
	['eventInsert', 'hour 24', { planId: 'plan-1001', title: 'T', dateScheduled: '2031-02-28 24:00:00' }],
	['eventInsert', 'no title', { planId: 'plan-1001', dateScheduled: '2031-02-28 10:00:00' }],
	['eventUpdate', 'eventId as a string', { title: 'T', eventId: '1', secret: 's', hash: 'h' }],
	['eventUpdate', 'no secret', { title: 'T', eventId: 1, hash: 'h' }],
	['eventStartOrEnd', 'no secret', { hash: 'h', status: 'LIVE' }],
	['eventStartOrEnd', 'no hash', { secret: 's', status: 'LIVE' }],
	['eventStartOrEnd', 'no action', { secret: 's', hash: 'h' }],
	['eventDelete', 'eventIds as strings', { eventIds: ['1'] }],
	['eventDelete', 'one number', { eventIds: 1 }],
	['eventDelete', 'an empty array', { eventIds: [] }],
	['folderCreate', 'no name', {}],
	['folderUpdate', 'a number as name', { name: 1 }],
	['folderDelete', 'no name', {}],
	['videoEdit', 'no name', {}],
	['videoList', 'planId outside payload', { planId: 'plan-1001' }],
	['videoList', 'planId as a number', { payload: { planId: 1001 } }],
	['videoMove', 'no UUID', { folder_uuid: 'Concerts' }],
	['videoMove', 'another field', { folder: uuid }],
	['folderCreate', 'text that is no JSON', '{"name": '],
];

it.each(wrongBodies)('%s refuses a body with %s', async (name, _what, data) => {
	service.seedFolders([{ uuid }]);
	const answer = await send(name, { data });
	expect([answer.status, answer.data]).toEqual(badRequest);
});

const wrongQueries: Array<[OperationName, string, Record<string, unknown>]> = [
	['eventSearchByHash', 'no planId', { hash: 'h' }],
	['eventSearchByHash', 'no hash', { planId: 'plan-1001' }],
	[
		'eventSearchAll',
		'no quantity',
		{ planId: 'plan-1001', actualPage: 1, orderBy: 'date', orderType: 'ASC' },
	],
	[
		'eventSearchAll',
		'page 0',
		{ planId: 'plan-1001', actualPage: 0, quantity: 5, orderBy: 'date', orderType: 'ASC' },
	],
	['videoList', 'page 0', { page: 0 }],
	['videoList', 'another order', { orderBy: 'size' }],
	['videoList', 'no date', { initialDate: 'soon' }],
];

it.each(wrongQueries)('%s refuses a query with %s', async (name, _what, params) => {
	const answer = await send(name, { params });
	expect([answer.status, answer.data]).toEqual(badRequest);
});

const wrongForms: Array<[string, (form: FormData) => void]> = [
	['no field', () => undefined],
	[
		'a field of another name',
		(form) => form.append('image', new Blob(['x'], { type: 'image/png' }), 'x.png'),
	],
	['text instead of a file', (form) => form.append('file', 'x')],
	['an empty file', (form) => form.append('file', new Blob([], { type: 'image/png' }), 'x.png')],
	['a video', (form) => form.append('file', new Blob(['x'], { type: 'video/mp4' }), 'x.mp4')],
	[
		'a second field',
		(form) => {
			form.append('file', new Blob(['x'], { type: 'image/png' }), 'x.png');
			form.append('name', 'x');
		},
	],
];

it.each(wrongForms)('a thumbnail form with %s is refused', async (_what, fill) => {
	const [video] = service.seedVideos(1);
	const form = new FormData();
	fill(form);
	const answer = await client.put(`/v1/videos/uploadThumb/${video?.hash}/plan-1001`, form);
	expect([answer.status, answer.data]).toEqual(badRequest);
});

it('an unknown path is answered 404, a known one with another method 405', async () => {
	expect((await client.get('/v2/folders')).status).toBe(404);
	expect((await client.get('/v1/folders/')).status).toBe(404);
	expect((await client.post('/v1/folders/total')).status).toBe(405);
	expect(service.requests.slice(-3).map(({ operation }) => operation)).toEqual([
		'unknown',
		'unknown',
		'unknown',
	]);
});

it('a path segment is percent-decoded', async () => {
	service.settings.plans['plan/ü 1'] = 'secret';
	const [video] = service.seedVideos([{ planId: 'plan/ü 1' }]);
	const path = `/v1/videos/editVideo/${video?.hash}/${encodeURIComponent('plan/ü 1')}`;
	expect((await client.put(path, { name: 'N' }, { headers: json })).status).toBe(200);
});
