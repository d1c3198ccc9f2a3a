import type { AxiosInstance } from 'axios';
import { createReadStream } from 'node:fs';

import { axiosClient, createUpload, json, metadata, patchHeaders, signedIn } from './axiosClient';
import { samples, send, uuid } from './documentedRequests';
import { operationNames, type RunningService } from './index';
import { serviceForEachTest } from './serviceForEachTest';
import { operations, type OperationName } from './operations';

let service: RunningService;
let client: AxiosInstance;
serviceForEachTest(async (started) => {
	service = started;
	client = await signedIn(started);
});

const badRequest = [400, { error: 'Bad Request' }];

const authorized = operationNames.filter((name) => name !== 'authenticate');

it.each(authorized)('%s without a token is rejected', async (name) => {
	const { status } = await send(axiosClient(service), name);
	expect(status).toBe(401);
});

it.each(authorized)('%s with an unknown token is rejected', async (name) => {
	const { status } = await send(axiosClient(service, 'never-issued'), name);
	expect(status).toBe(401);
});

it.each(operationNames)('%s passes all checks on its form when sent as documented', async (name) => {
	service.seedFolders([{ uuid, name: 'F' }]);
	const { status } = await send(client, name);
	// The hashes name nothing, and nobody signs in with password p.
	expect(name === 'authenticate' ? [401] : [200, 201, 404]).toContain(status);
});

const required: Array<[OperationName, string, Array<string | false>]> = [
	['authenticate', 'Content-Type', [false, 'text/plain']],
	['eventInsert', 'Content-Type', [false, 'text/plain']],
	['eventUpdate', 'Accept', [false, 'text/html']],
	['eventStartOrEnd', 'Content-Type', [false, 'application/json', 'text/plain;charset=UTF-8']],
	['eventDelete', 'Content-Type', [false, 'application/json', 'text/plain;charset=UTF-8']],
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
	['uploadPatch', 'Content-Type', [false, 'application/octet-stream']],
	['uploadPatch', 'gallery', ['Concerts']],
	['videoDelete', 'Accept', [false]],
	['videoDelete', 'Content-Type', [false, 'text/plain']],
	['videoThumbnail', 'Accept', [false]],
	['videoEdit', 'Accept', [false]],
	['videoEdit', 'Content-Type', [false, 'text/plain']],
	['videoList', 'Accept', [false]],
	['videoList', 'Content-Type', [false, 'text/plain']],
	['videoMove', 'Accept', [false]],
	['videoMove', 'Content-Type', [false, 'text/plain']],
	['diskUsageByApplication', 'Content-Type', [false, 'text/plain']],
	['diskUsageByFolder', 'Content-Type', [false, 'text/plain']],
];

describe.each(required)('%s needs the header %s as documented', (name, header, wrongValues) => {
	it.each(wrongValues)('not %j', async (value) => {
		const { status, data } = await send(client, name, { headers: { [header]: value } });
		expect([status, data]).toEqual(badRequest);
		expect(service.requests.at(-1)?.reason).toContain(header);
	});
});

it('a GET that requires Content-Type is rejected without it', async () => {
	for (const name of ['eventSearchByHash', 'diskUsageByApplication', 'diskUsageByFolder'] as const) {
		const { path, params } = samples[name];
		const response = await client.get(path ?? operations[name].path, { params });
		expect([response.status, response.data]).toEqual(badRequest);
	}
});

it('HEAD needs Tus-Resumable', async () => {
	const id = await createUpload(client, 10);
	expect((await client.head(`/v1/videos/uploads/${id}`)).status).toBe(400);
});

it('a chunked PATCH, without Content-Length, is rejected', async () => {
	const id = await createUpload(client, 10);
	const { status, data } = await client.patch(`/v1/videos/uploads/${id}`, createReadStream(__filename), {
		headers: patchHeaders(0),
	});
	expect([status, data]).toEqual(badRequest);
	expect(service.state.uploads[0]?.offset).toBe(0);
});

it('an unknown path returns 404, a known one with another method 405', async () => {
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
