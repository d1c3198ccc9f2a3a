import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { build } from 'esbuild';
import { NodeApiError, type IBinaryData } from 'n8n-workflow';

import { byteCount, formatBytes } from '../../nodes/VideoHosting/shared/text';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, upload } from '../upload/uploading';
import { files, fileServerForEachTest } from './fileServer';

const BEYOND = `1${'0'.repeat(400)}`;

/** Uploads a file of a made-up size in a process of its own, which is ended after a minute. */
async function uploadElsewhere(source: 'binary' | 'url', size: string) {
	const { outputFiles } = await build({
		entryPoints: [join(__dirname, 'hostileRun.ts')],
		bundle: true,
		write: false,
		platform: 'node',
		packages: 'external',
		// A file of this package that n8n reads is called VideoHosting.node.json.
		resolveExtensions: ['.ts', '.js', '.json'],
		// A helper of the tests expects Jest.
		banner: { js: 'globalThis.beforeEach = () => {};' },
	});
	const running = promisify(execFile)(process.execPath, ['-', source, size], {
		timeout: 60_000,
		killSignal: 'SIGKILL',
	});
	running.child.stdin?.end(outputFiles[0]?.text);
	return JSON.parse((await running).stdout) as { error: { message: string }; requests: unknown[] };
}

describe('A size that no file has', () => {
	it('of a server or of binary data ends the item, and never freezes n8n', async () => {
		const [ofServer, ofData] = await Promise.all([
			uploadElsewhere('url', BEYOND),
			uploadElsewhere('binary', '1e400'),
		]);
		expect(ofServer.error.message).toContain('does not return its size');
		expect(ofData.error.message).toContain('n8n no longer has the file');
		expect([ofServer.requests, ofData.requests]).toEqual([[], []]);
	}, 90_000);

	serviceForEachTest();
	fileServerForEachTest(1_000);

	it.each(['9007199254740993', '-1', '1.5', '1e3', '0x10', ''])(
		'in Content-Range counts as not stated, and creates no upload: %j',
		async (size) => {
			files.statuses = [200, 404];
			files.headers = { 'Content-Range': `bytes 0-0/${size}` };
			const { message } = await failureOf(upload(service, { url: files.url }));
			expect(message).toMatch(/returned status 404$/);
			expect(service.requests).toEqual([]);
		},
	);

	it.each([Infinity, 2 ** 53, -1, 1.5, NaN, '12 MB', null, {}])(
		'in binary data counts as not stated, and creates no upload: %p',
		async (bytes) => {
			// JSON of a Code node may have anything.
			const wrong = { bytes, id: 'filesystem-v2:gone', data: 'filesystem-v2' } as unknown as IBinaryData;
			const item = { json: {}, binary: { data: { ...wrong, mimeType: 'video/mp4', fileName: 'a.mp4' } } };
			const failure = await failureOf(upload(service, { item }));
			expect(failure.message).toBe('n8n no longer has the file');
			expect(service.requests).toEqual([]);
		},
	);

	it.each(['1'.padEnd(400, '0'), '-5', '5.5'])('of the service is not an offset: %j', async (offset) => {
		const headers = { 'Upload-Offset': offset };
		service.injectFault({ on: 'uploadHead', kind: 'status', status: 200, headers, times: 9 });
		const failure = await failureOf(upload(service, { resume: 'some-upload' }));
		expect(failure).toBeInstanceOf(NodeApiError);
		expect(service.requestsOf('uploadPatch')).toEqual([]);
	});
});

it.each<[unknown, number | undefined]>([
	[0, 0],
	['12', 12],
	[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
	['9007199254740992', undefined],
	[' 1', undefined],
	[BEYOND, undefined],
	[true, undefined],
	[undefined, undefined],
])('%p is %p bytes', (value, count) => {
	expect(byteCount(value)).toBe(count);
});

it.each([
	[Infinity, 'Infinity PB'],
	[NaN, 'NaN B'],
	[1e22, '10000000 PB'],
])('Even %p bytes have a text', (bytes, text) => {
	expect(formatBytes(bytes)).toBe(text);
});
