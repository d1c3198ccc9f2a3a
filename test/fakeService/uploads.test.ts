import axios, { type AxiosInstance } from 'axios';
import { createReadStream } from 'node:fs';
import { Agent } from 'node:http';
import { PassThrough, type Readable } from 'node:stream';

import { service, serviceForEachTest } from './serviceForEachTest';
import { createHeaders, patchHeaders } from './uploadHeaders';

// What the service rejects, which the node never sends.

let client: AxiosInstance;
serviceForEachTest();
beforeEach(async () => {
	const { baseUrl: baseURL, email, password, applicationId: resource } = service.credential;
	// As n8n does: each request on a connection of its own.
	client = axios.create({ baseURL, httpAgent: new Agent(), validateStatus: () => true });
	const { data } = await client.post('/v1/authenticate', { email, password, resource });
	client.defaults.headers.Authorization = `Bearer ${data.token}`;
});

type Headers = Record<string, string | undefined>;

const create = async (size: number, headers: Headers = {}, body?: Buffer) =>
	await client.post('/v1/videos', body, { headers: { ...createHeaders(size), ...headers } });

/** Creates an upload, and returns its ID. */
async function createUpload(size: number): Promise<string> {
	const { headers } = await create(size);
	return String(headers.location).split('/').at(-1) ?? '';
}

/** Sends bytes; axios adds the Content-Length of a buffer. */
const patch = async (id: string, offset: number, bytes: Buffer | Readable, headers: Headers = {}) =>
	await client.patch(`/v1/videos/uploads/${id}`, bytes, { headers: { ...patchHeaders(offset), ...headers } });

it('While a PATCH is under way, another one of the same upload or of another one is rejected', async () => {
	const finished = await createUpload(0);
	const id = await createUpload(8);
	const body = new PassThrough();
	const first = patch(id, 0, body, { 'Content-Length': '8' });
	body.write('1234');
	await service.until(() => service.state.uploads[1]?.offset === 4);
	const error = 'Too many simultaneous uploads, please send one file at a time';
	const rejected = { status: 429, data: { error } };
	expect(await patch(id, 4, Buffer.from('5678'))).toMatchObject(rejected);
	expect(await patch(finished, 0, Buffer.alloc(0))).toMatchObject(rejected);
	body.end('5678');
	expect(await first).toMatchObject({ status: 201 });
});

const both = {
	'Tus-Resumable': [undefined, '0.2.2'],
	'Upload-Metadata': [
		...[undefined, 'filename clip.mp4', 'filename ', 'name Y2xpcA==', 'filename /w=='],
		...['filename YQ==,filetype YQ==', 'filename Y2xpcA'],
	],
	gallery: ['Concerts'],
};
const length = { 'Upload-Length': [undefined, '-1', '1.5', 'ten', '99999999999999999999'] };
const offset = { 'Upload-Offset': [undefined, '-1', 'zero'] };
it.each<['create' | 'patch', Record<string, Array<string | undefined>>]>([
	['create', { ...both, ...length, 'Content-Type': ['text/plain'] }],
	['patch', { ...both, ...offset, 'Content-Type': ['application/octet-stream'] }],
])('%s needs its headers as documented, not %j', async (kind, wrong) => {
	const id = kind === 'patch' ? await createUpload(10) : '';
	for (const [header, values] of Object.entries(wrong))
		for (const given of values.map((value) => ({ [header]: value }))) {
			const { status, data } =
				kind === 'patch' ? await patch(id, 0, Buffer.alloc(10), given) : await create(10, given);
			expect([given, status, data]).toEqual([given, 400, { error: 'Bad Request' }]);
			expect(service.requests.at(-1)?.reason).toContain(header);
		}
});

it('A body at creation, and a PATCH beyond Upload-Length or without Content-Length, are rejected', async () => {
	const withBody = await create(10, {}, Buffer.from('{}'));
	const id = await createUpload(10);
	expect([
		withBody.status,
		(await patch(id, 0, Buffer.alloc(11))).status,
		(await patch(id, 0, createReadStream(__filename))).status,
	]).toEqual([400, 400, 400]);
	expect(service.state.uploads).toMatchObject([{ offset: 0, bytesReceived: 0 }]);
});
