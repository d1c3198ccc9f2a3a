import type { AxiosInstance } from 'axios';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import { authorizationOf, createUpload, offsetOf, patch, patchHeaders, signedIn } from './axiosClient';
import type { Fault, RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

const megabytes = (count: number) => Buffer.alloc(count * 1_000_000, 7);
const reset = expect.objectContaining({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });

describe('reset', () => {
	it('keeps exactly the bytes received, as often as injected', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_500_001, times: 2 });
		const id = await createUpload(client, 5_000_000);
		await expect(patch(client, id, 0, megabytes(5))).rejects.toEqual(reset);
		expect(await offsetOf(client, id)).toBe(1_500_001);
		await expect(patch(client, id, 1_500_001, megabytes(3))).rejects.toEqual(reset);
		expect(await offsetOf(client, id)).toBe(3_000_002);
		expect((await patch(client, id, 3_000_002, megabytes(1))).status).toBe(201);
		const [upload] = service.state.uploads;
		expect(upload).toMatchObject({ offset: 4_000_002, bytesReceived: 4_000_002, transferring: false });
		expect(service.requestsOf('uploadPatch').map(({ status }) => status)).toEqual([
			undefined,
			undefined,
			201,
		]);
	});

	it('before the first byte stores none', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset' });
		const id = await createUpload(client, 1_000_000);
		await expect(patch(client, id, 0, megabytes(1))).rejects.toEqual(reset);
		expect(await offsetOf(client, id)).toBe(0);
	});

	it('after the last byte completes the upload', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000_000 });
		const id = await createUpload(client, 1_000_000);
		await expect(patch(client, id, 0, megabytes(1))).rejects.toEqual(reset);
		expect(service.state.uploads[0]?.complete).toBe(true);
	});

	it('waits for a PATCH with that many bytes', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 10 });
		const id = await createUpload(client, 100);
		expect((await patch(client, id, 0, Buffer.alloc(9))).status).toBe(201);
		await expect(patch(client, id, 9, Buffer.alloc(91))).rejects.toEqual(reset);
		expect(await offsetOf(client, id)).toBe(19);
	});

	it('of any other operation prevents the operation', async () => {
		service.injectFault({ on: 'folderCreate', kind: 'reset' });
		await expect(client.post('/v1/folders', { name: 'Lost' })).rejects.toEqual(reset);
		expect(service.state.folders).toEqual([]);
		expect(service.requestsOf('folderCreate')[0]?.body).toEqual({ name: 'Lost' });
	});
});

describe('hang', () => {
	it('stores so many bytes, then reads nothing and sends no response; the upload is free for the next request', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 1_000_000 });
		const id = await createUpload(client, 3_000_000);
		const abort = new AbortController();
		const hanging = patch(client, id, 0, megabytes(3), { signal: abort.signal });
		hanging.catch(() => undefined);
		await service.until(() => service.state.uploads[0]?.offset === 1_000_000);
		abort.abort();
		await expect(hanging).rejects.toMatchObject({ code: 'ERR_CANCELED' });
		expect(await offsetOf(client, id)).toBe(1_000_000);
		expect((await patch(client, id, 1_000_000, megabytes(2))).status).toBe(201);
		expect(service.requestsOf('uploadPatch')[0]).toMatchObject({ bodyBytes: 1_000_000, status: undefined });
	});

	it('of any other operation is ended by closing the service', async () => {
		service.injectFault({ on: 'folderList', kind: 'hang' });
		const hanging = client.get('/v1/folders');
		hanging.catch(() => undefined);
		await service.until(() => service.requestsOf('folderList').length === 1);
		await service.close();
		await expect(hanging).rejects.toEqual(reset);
	});
});

describe('status', () => {
	it.each<[string, Omit<Extract<Fault, { kind: 'status' }>, 'on' | 'kind'>, unknown]>([
		[
			'with an error text',
			{ status: 500, error: 'Internal Server Error' },
			{ error: 'Internal Server Error' },
		],
		['as an HTML page', { status: 502, body: '<html>', headers: { 'Content-Type': 'text/html' } }, '<html>'],
		[
			'as garbage that calls itself JSON',
			{ status: 200, body: '{"a', headers: { 'Content-Type': 'application/json' } },
			'{"a',
		],
		['with an empty body', { status: 200, body: '' }, ''],
	])('is returned %s', async (_how, fault, expected) => {
		service.injectFault({ on: 'folderList', kind: 'status', ...fault });
		const { status, data, headers } = await client.get('/v1/folders');
		expect([status, data]).toEqual([fault.status, expected]);
		expect(headers).toMatchObject(
			Object.fromEntries(
				Object.entries(fault.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
			),
		);
		expect((await client.get('/v1/folders')).data).toEqual([]);
	});

	it('carries Retry-After', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 503, headers: { 'Retry-After': '2' } });
		await expect(createUpload(client, 10)).rejects.toThrow('503');
		expect(service.state.uploads).toEqual([]);
	});

	it('reaches a client that is still sending, and none of its bytes count', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 500, error: 'Internal Server Error' });
		const id = await createUpload(client, 50_000_000);
		const { status, data } = await patch(client, id, 0, megabytes(50));
		expect([status, data]).toEqual([500, { error: 'Internal Server Error' }]);
		expect(service.state.uploads[0]).toMatchObject({ offset: 0, bytesReceived: 0 });
	});

	it('after so many bytes keeps those', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 503, afterBytes: 2_000_000 });
		const id = await createUpload(client, 5_000_000);
		expect((await patch(client, id, 0, megabytes(5))).status).toBe(503);
		expect(await offsetOf(client, id)).toBe(2_000_000);
	});
});

it('a lost response leaves the operation done', async () => {
	service.injectFault({ on: ['folderCreate', 'uploadPatch'], kind: 'lostResponse', times: 2 });
	await expect(client.post('/v1/folders', { name: 'Made' })).rejects.toEqual(reset);
	expect(service.state.folders).toMatchObject([{ name: 'Made' }]);
	const id = await createUpload(client, 4);
	await expect(patch(client, id, 0, Buffer.from('done'))).rejects.toEqual(reset);
	expect(service.state.uploads).toMatchObject([{ complete: true, offset: 4 }]);
});

it('a forgotten upload is gone', async () => {
	const id = await createUpload(client, 8);
	await patch(client, id, 0, Buffer.from('1234'));
	service.injectFault({ on: 'uploadPatch', kind: 'forget' });
	expect((await patch(client, id, 4, Buffer.from('5678'))).status).toBe(404);
	expect(service.state.uploads).toEqual([]);
	await expect(createUpload(client, 8)).resolves.not.toBe(id);
});

it('fewer bytes stored than sent: 201 with the smaller offset, the rest received in vain', async () => {
	service.settings.patchReturnsOffset = true;
	service.injectFault({ on: 'uploadPatch', kind: 'storeFewer', bytes: 3 });
	const id = await createUpload(client, 8);
	const response = await patch(client, id, 0, Buffer.from('12345678'));
	expect([response.status, response.headers['upload-offset']]).toEqual([201, '3']);
	expect(service.state.uploads[0]).toMatchObject({
		offset: 3,
		bytesReceived: 8,
		patches: [{ offset: 0, stored: 3, received: 8 }],
	});
});

describe('an expired token', () => {
	it.each([401, 403] as const)('is rejected with %i from that very request on', async (status) => {
		service.settings.expiredTokenStatus = status;
		service.injectFault({ on: 'folderList', kind: 'expireToken', skip: 1 });
		expect((await client.get('/v1/folders')).status).toBe(200);
		expect((await client.get('/v1/folders')).status).toBe(status);
		expect((await client.get('/v1/folders/total')).status).toBe(status);
	});

	it('in the middle of a PATCH keeps the bytes received', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 1_000_000 });
		const id = await createUpload(client, 3_000_000);
		expect((await patch(client, id, 0, megabytes(3))).status).toBe(401);
		client = await signedIn(service);
		expect(await offsetOf(client, id)).toBe(1_000_000);
	});

	it('can be injected for all tokens at once', async () => {
		service.expireTokens();
		expect((await client.get('/v1/folders')).status).toBe(401);
		expect((await (await signedIn(service)).get('/v1/folders')).status).toBe(200);
	});
});

it('a delay is added to the fault that is due', async () => {
	service.injectFault({ on: 'folderList', kind: 'delay', ms: 1 });
	service.injectFault({ on: 'folderList', kind: 'status', status: 500 });
	expect((await client.get('/v1/folders')).status).toBe(500);
	expect((await client.get('/v1/folders')).status).toBe(200);
});

it('a redirect contains its target', async () => {
	service.injectFault({ on: 'uploadPatch', kind: 'redirect', to: 'http://evil.example/' });
	const id = await createUpload(client, 4);
	const { status, headers } = await patch(client, id, 0, Buffer.from('1234'));
	expect([status, headers.location]).toEqual([307, 'http://evil.example/']);
	expect(await offsetOf(client, id)).toBe(0);
});

it('faults occur in the order injected, each after its own number of passes, until cleared', async () => {
	service.injectFault({ on: 'folderList', kind: 'status', status: 500, skip: 1 });
	service.injectFault({ on: 'folderList', kind: 'status', status: 502, skip: 1, times: 9 });
	const statuses: number[] = [];
	for (let sent = 0; sent < 4; sent += 1) statuses.push((await client.get('/v1/folders')).status);
	service.clearFaults();
	statuses.push((await client.get('/v1/folders')).status);
	expect(statuses).toEqual([200, 500, 502, 502, 200]);
});

it('a fault that is not valid is rejected', () => {
	expect(() => service.injectFault({ on: 'folderList', kind: 'status', status: 42 })).toThrow(/status/);
});

it('a service that is down accepts no connection, and is up again with its state, tokens and port', async () => {
	service.seedFolders(1);
	await service.goDown();
	await expect(client.get('/v1/folders')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
	await service.comeBack();
	expect((await client.get('/v1/folders')).data).toHaveLength(1);
});

it('a response reaches a client that keeps one connection and continues to send', async () => {
	const id = await createUpload(client, 8);
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 500 });
	const sending: ClientRequest = request(`${service.baseUrl}/v1/videos/uploads/${id}`, {
		method: 'PATCH',
		headers: {
			...patchHeaders(0),
			'Content-Length': 8,
			Connection: 'close',
			Authorization: authorizationOf(client),
		},
	});
	sending.write('1234');
	const response = await new Promise<IncomingMessage>((resolve) => sending.once('response', resolve));
	expect(response.resume().statusCode).toBe(500);
	await service.until(() => service.requestsOf('uploadPatch')[0]?.bodyBytes === 4);
	sending.end('5678');
});
