import type { AxiosInstance } from 'axios';

import { createHeaders, createUpload, patch, signedIn } from './axiosClient';
import { send, uuid } from './documentedRequests';
import type { RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';
import type { OperationName } from './operations';

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

const badRequest = [400, { error: 'Bad Request' }];

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
	['folderCreate', 'text that is not JSON', '{"name": '],
];

it.each(wrongBodies)('%s rejects a body with %s', async (name, _what, data) => {
	service.seedFolders([{ uuid }]);
	const response = await send(client, name, { data });
	expect([response.status, response.data]).toEqual(badRequest);
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

it.each(wrongQueries)('%s rejects a query with %s', async (name, _what, params) => {
	const response = await send(client, name, { params });
	expect([response.status, response.data]).toEqual(badRequest);
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

it.each(wrongForms)('a thumbnail form with %s is rejected', async (_what, fill) => {
	const [video] = service.seedVideos(1);
	const form = new FormData();
	fill(form);
	const response = await client.put(`/v1/videos/uploadThumb/${video?.hash}/plan-1001`, form);
	expect([response.status, response.data]).toEqual(badRequest);
});

it('creating an upload with bytes in the body is rejected', async () => {
	const { status } = await client.post('/v1/videos', Buffer.from('{}'), { headers: createHeaders(10) });
	expect(status).toBe(400);
});

it('a PATCH beyond Upload-Length is rejected', async () => {
	const id = await createUpload(client, 10);
	const { status, data } = await patch(client, id, 0, Buffer.alloc(11));
	expect([status, data]).toEqual(badRequest);
});
