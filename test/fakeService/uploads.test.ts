import type { AxiosInstance } from 'axios';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';

import {
	authorizationOf,
	createHeaders,
	createUpload,
	metadata,
	offsetOf,
	patch,
	patchHeaders,
	signedIn,
} from './axiosClient';
import type { RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

const tooMany = [429, { error: 'Too many simultaneous uploads, please send one file at a time' }];
const otherApplication = '9d5c8f00-1111-4222-8333-944455556666';

/** A PATCH whose body the test writes bit by bit. */
function openPatch(uploadId: string, length: number): ClientRequest {
	return request(`${service.baseUrl}/v1/videos/uploads/${uploadId}`, {
		method: 'PATCH',
		headers: {
			...patchHeaders(0),
			'Content-Length': length,
			Authorization: authorizationOf(client),
		},
	});
}

describe('creating an upload', () => {
	it('returns the response of the reference', async () => {
		const { status, headers, data } = await client.post('/v1/videos', undefined, {
			headers: createHeaders(10),
		});
		expect([status, data]).toEqual([201, '']);
		const id = service.state.uploads[0]?.id;
		const host = service.baseUrl.replace('http://', '');
		expect(headers).toMatchObject({
			'content-length': '0',
			'tus-resumable': '1.0.0',
			location: `//${host}/v1/videos/uploads/${id}`,
			'access-control-expose-headers':
				'Authorization, Content-Type, Location, Tus-Extension, Tus-Max-Size, Tus-Resumable, Tus-Version, ' +
				'Upload-Defer-Length, Upload-Length, Upload-Metadata, Upload-Offset, X-HTTP-Method-Override, X-Requested-With',
		});
	});

	it('accepts a gallery, which must exist', async () => {
		const [folder] = service.seedFolders(1);
		const create = (gallery: string) =>
			client.post('/v1/videos', undefined, { headers: { ...createHeaders(0), gallery } });
		expect((await create('00000000-0000-4000-8000-000000000000')).data).toEqual({
			error: 'Folder not found',
		});
		expect((await create(folder?.uuid ?? '')).status).toBe(201);
		expect(service.state.videos).toMatchObject([{ folder: folder?.uuid, size: 0 }]);
	});

	it.each([
		['absolute', /^http:\/\/127\.0\.0\.1:\d+\/v1\/videos\/uploads\/./],
		['path', /^\/v1\/videos\/uploads\/./],
		['hostile', /^\/\/evil\.example\/v1\/videos\/uploads\/./],
	] as const)('returns Location in the form %s on request', async (form, expected) => {
		service.settings.locationForm = form;
		const { headers } = await client.post('/v1/videos', undefined, { headers: createHeaders(10) });
		expect(headers.location).toMatch(expected);
	});
});

describe('the one upload slot', () => {
	it('is held by an unfinished upload against a second one', async () => {
		const id = await createUpload(client, 4);
		const second = await client.post('/v1/videos', undefined, { headers: createHeaders(10) });
		expect([second.status, second.data]).toEqual(tooMany);
		await patch(client, id, 0, Buffer.from('done'));
		expect((await client.post('/v1/videos', undefined, { headers: createHeaders(10) })).status).toBe(201);
	});

	it('is held against a PATCH of another upload', async () => {
		const finished = await createUpload(client, 0);
		await createUpload(client, 4);
		const { status, data } = await patch(client, finished, 0, Buffer.alloc(0));
		expect([status, data]).toEqual(tooMany);
	});

	it('is one per application', async () => {
		service.settings.otherApplicationIds.push(otherApplication);
		await createUpload(client, 4);
		const other = await signedIn(service, otherApplication);
		await expect(createUpload(other, 4)).resolves.not.toBe('');
		expect((await other.head(`/v1/videos/uploads/${service.state.uploads[0]?.id}`)).status).not.toBe(201);
	});

	it('rejects a PATCH during another of the same upload', async () => {
		const id = await createUpload(client, 8);
		const first = openPatch(id, 8);
		first.write('1234');
		await service.until(() => service.state.uploads[0]?.offset === 4);
		expect((await patch(client, id, 4, Buffer.from('5678'))).status).toBe(429);
		first.end('5678');
		const response = await new Promise<IncomingMessage>((resolve) => first.once('response', resolve));
		expect(response.resume().statusCode).toBe(201);
		expect(service.state.maxSimultaneousPatches).toBe(1);
	});

	it('held by transferring uploads alone, lets two unfinished ones in, and two PATCHes are counted', async () => {
		service.settings.slotHeldBy = 'transferring';
		service.settings.otherApplicationIds.push(otherApplication);
		const id = await createUpload(client, 8);
		await createUpload(client, 8);
		const other = await signedIn(service, otherApplication);
		const otherId = await createUpload(other, 4);
		const first = openPatch(id, 8);
		first.write('1234');
		await service.until(() => service.state.uploads[0]?.offset === 4);
		const third = await client.post('/v1/videos', undefined, { headers: createHeaders(10) });
		expect([third.status, third.data]).toEqual(tooMany);
		expect((await patch(other, otherId, 0, Buffer.from('1234'))).status).toBe(201);
		expect(service.state.maxSimultaneousPatches).toBe(2);
		first.end('5678');
		await once(first, 'response');
	});

	it('is free again when an unfinished upload has expired', async () => {
		service.settings.unfinishedUploadExpiryMs = 60_000;
		const id = await createUpload(client, 4);
		const [upload] = service.state.uploads;
		if (upload) upload.touchedAt -= 60_000;
		await createUpload(client, 4);
		expect((await patch(client, id, 0, Buffer.from('done'))).status).toBe(404);
	});
});

describe('sending bytes', () => {
	it('returns 201 without Upload-Offset, and HEAD returns the offset alone', async () => {
		const id = await createUpload(client, 8);
		const response = await patch(client, id, 0, Buffer.from('1234'));
		expect([response.status, response.headers['upload-offset']]).toEqual([201, undefined]);
		const head = await client.head(`/v1/videos/uploads/${id}`, { headers: { 'Tus-Resumable': '1.0.0' } });
		expect([head.status, head.headers['upload-offset'], head.headers['upload-length']]).toEqual([
			201,
			'4',
			undefined,
		]);
	});

	it('at another offset returns 409 and stores nothing', async () => {
		const id = await createUpload(client, 8);
		await patch(client, id, 0, Buffer.from('1234'));
		for (const wrong of [0, 3, 5]) {
			expect((await patch(client, id, wrong, Buffer.from('xxx'))).status).toBe(409);
		}
		expect(service.state.uploads[0]).toMatchObject({ offset: 4, bytesReceived: 4 });
	});

	it('of less than the rest is rejected when the rest is required', async () => {
		service.settings.patchNeedsWholeRest = true;
		const id = await createUpload(client, 8);
		expect((await patch(client, id, 0, Buffer.from('1234'))).status).toBe(400);
		expect((await patch(client, id, 0, Buffer.from('12345678'))).status).toBe(201);
	});

	it('keeps the bytes of a client that goes away, and frees the upload', async () => {
		const id = await createUpload(client, 8);
		const first = openPatch(id, 8).on('error', () => undefined);
		first.write('1234');
		await service.until(() => service.state.uploads[0]?.offset === 4);
		first.destroy();
		expect(await offsetOf(client, id)).toBe(4);
		expect((await patch(client, id, 4, Buffer.from('5678'))).status).toBe(201);
		expect(service.state.uploads[0]?.sha256).toBe(createHash('sha256').update('12345678').digest('hex'));
	});
});

/** What the reference requires of a header: values that are wrong, false for leaving it out. */
const wrongHeaders: Array<['create' | 'patch', string, Array<string | false>]> = [
	['create', 'Tus-Resumable', [false, '0.2.2']],
	['create', 'Upload-Length', [false, '-1', '1.5', 'ten', '99999999999999999999']],
	[
		'create',
		'Upload-Metadata',
		[
			...[false as const, 'clip.mp4', 'filename clip.mp4', 'filename ', 'name Y2xpcA==', 'filename Y2xpcA'],
			...['filename /w==', `${metadata('a')},filetype YQ==`],
		],
	],
	['create', 'Content-Type', ['text/plain']],
	['create', 'gallery', ['Concerts']],
	['patch', 'Tus-Resumable', [false, '2.0.0']],
	['patch', 'Upload-Offset', [false, '-1', 'zero']],
	['patch', 'Upload-Metadata', [false, 'clip.mp4']],
	['patch', 'Content-Type', [false, 'application/octet-stream']],
	['patch', 'gallery', ['Concerts']],
];

it.each(wrongHeaders)('%s needs the header %s as documented', async (request, header, values) => {
	const id = request === 'patch' ? await createUpload(client, 10) : '';
	for (const value of values) {
		const { status, data } =
			request === 'create'
				? await client.post('/v1/videos', undefined, { headers: { ...createHeaders(10), [header]: value } })
				: await patch(client, id, 0, Buffer.alloc(10), { headers: { ...patchHeaders(0), [header]: value } });
		expect([value, status, data]).toEqual([value, 400, { error: 'Bad Request' }]);
		expect(service.requests.at(-1)?.reason).toContain(header);
	}
});

it('rejects a body at creation, a PATCH beyond Upload-Length or without Content-Length, and HEAD without Tus-Resumable', async () => {
	const { status } = await client.post('/v1/videos', Buffer.from('{}'), { headers: createHeaders(10) });
	const id = await createUpload(client, 10);
	const headers = patchHeaders(0);
	const chunked = client.patch(`/v1/videos/uploads/${id}`, createReadStream(__filename), { headers });
	expect([
		status,
		(await patch(client, id, 0, Buffer.alloc(11))).status,
		(await chunked).status,
		(await client.head(`/v1/videos/uploads/${id}`)).status,
	]).toEqual([400, 400, 400, 400]);
	expect(service.state.uploads).toMatchObject([{ offset: 0, bytesReceived: 0 }]);
});
