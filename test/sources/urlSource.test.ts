import { randomBytes } from 'node:crypto';

import type { RunningService } from '../fakeService';
import { createUpload, signedIn } from '../fakeService/axiosClient';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { startFileServer, type FileServer } from './fileServer';
import {
	expectArrived,
	onlyUpload,
	operations,
	shortenPauses,
	upload,
	type UploadRun,
	type UploadRunResult,
} from '../upload/uploading';

shortenPauses();

let service: RunningService;
let files: FileServer;
serviceForEachTest(async (started) => {
	service = started;
	files = await startFileServer(randomBytes(1_000_000));
	service.settings.keepBytes = true;
});
afterEach(async () => {
	await files.close();
});

async function uploadFrom(url: string, run: UploadRun = {}): Promise<UploadRunResult> {
	return await upload(service, {
		item: { json: {} },
		...run,
		parameters: { source: 'url', url, ...run.parameters },
	});
}

/** The requests for the file's bytes: all but the first one, which determines its size. */
const reads = () => files.requests.slice(1);

describe('a file at a URL', () => {
	it('is streamed to the service under the last part of its address', async () => {
		const { output } = await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(output).toMatchObject({ fileName: 'keynote 2026.mp4', size: 1_000_000, complete: true });
		// Without the token of the credential.
		expect(
			files.requests.map(({ method, headers: { authorization, range } }) => [method, range, authorization]),
		).toEqual([
			['GET', 'bytes=0-0', undefined],
			['GET', undefined, undefined],
		]);
	});

	it.each(['strong', 'weak', 'none'])(
		'never mixes two versions when a response ends early (validator: %s)',
		async (validator) => {
			const versions = [files.content, randomBytes(1_000_000)];
			files.etag = { strong: '"v1"', weak: 'W/"v1"' }[validator];
			const uploadId = await createUpload(await signedIn(service), 1_000_000, 'keynote 2026.mp4');
			const created = service.state.uploads[0];
			// Another process has sent the beginning of the first version.
			Object.assign(created ?? {}, { offset: 100_000 });
			files.longestRange = 200_000;
			files.beforeBytes = async (offset) => {
				await Promise.resolve();
				if (offset >= 300_000 && validator !== 'strong') files.content = versions[1] ?? files.content;
			};
			const run = { operation: 'resume', parameters: { uploadId } } as const;
			const result = await uploadFrom(files.url, run).catch((error: unknown) => error as Error);
			files.beforeBytes = undefined;

			const arrived = Buffer.concat(created?.content ?? []);
			const rests = versions.map((version) => version.subarray(100_000, 100_000 + arrived.length));
			expect(rests.some((rest) => rest.equals(arrived))).toBe(true);
			expect(result instanceof Error).toBe(validator !== 'strong');
		},
	);

	it('is read in requests of the size that is set, over one connection to its server', async () => {
		await uploadFrom(files.url, { options: { maxRequestMegabytes: 0.25 } });
		expectArrived(service, files.content);
		expect(reads()).toHaveLength(1);
		expect(onlyUpload(service).patches).toHaveLength(4);
	});

	it.each([500, 503, 429])('is requested again when its server returns %d', async (status) => {
		files.statuses = [status, status];
		await uploadFrom(files.url);
		expectArrived(service, files.content);
	});

	it.each([
		[
			404,
			/The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ could not be downloaded: its server returned status 404\. Check the URL/,
		],
		[401, /its server returned status 401\. Check the URL, and that it can be opened without signing in/],
	])('that returns %d is rejected before an upload is created', async (status, message) => {
		files.statuses = [status];
		await expect(uploadFrom(files.url)).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('whose length the server does not report is rejected before an upload is created, with another way', async () => {
		files.lengths = false;
		files.ranges = false;
		await expect(uploadFrom(files.url)).rejects.toThrow(
			/the server does not return its size \(Content-Length\)\. Download it first/,
		);
		expect(service.requests).toEqual([]);
	});

	it.each<[string, () => void]>([
		['another ETag', () => (files.etag = '"v2"')],
		[
			'another length and no ETag',
			() => {
				files.etag = undefined;
				files.content = randomBytes(900_000);
			},
		],
	])('that changes in between is rejected, with no advice to resume: %s', async (_what, change) => {
		if (_what.includes('no ETag')) files.etag = undefined;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 1 });
		const running = uploadFrom(files.url);
		const outcome = expect(running).rejects.toThrow(/changed while it was uploaded(?!.*resume it)/s);
		await service.until(() => service.state.uploads[0]?.offset === 400_000);
		change();
		await outcome;
		expect(onlyUpload(service).offset).toBe(400_000);
	});

	it('that a server would compress on request arrives as it is', async () => {
		files.content = Buffer.alloc(1_000_000, 'compressible ');
		files.gzip = 'whenAccepted';
		await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(new Set(files.requests.map(({ headers }) => headers['accept-encoding']))).toEqual(
			new Set(['identity']),
		);
	});

	it('that a server always compresses is rejected before an upload is created', async () => {
		files.gzip = 'always';
		await expect(uploadFrom(files.url)).rejects.toThrow(/the server sends it compressed.+Download it first/);
		expect(service.requests).toEqual([]);
	});

	it('with a content coding that n8n cannot decode is rejected before an upload is created', async () => {
		files.headers = { 'Content-Encoding': 'dcb' };
		await expect(uploadFrom(files.url)).rejects.toThrow(/the server sends it compressed/);
		expect(service.requests).toEqual([]);
	});

	it.each<[string, () => Buffer]>([
		['longer than', () => Buffer.alloc(20_000_000, 'compressible ')],
		['shorter than', () => randomBytes(1_000_000)],
	])(
		'whose bytes are %s the compressed size is never completed, nor resumed later',
		async (_what, content) => {
			const staticData = {};
			Object.assign(files, { gzip: 'always', ranges: false, content: content() });
			await expect(uploadFrom(files.url, { staticData })).rejects.toThrow(
				/Upload [\w-]+ cannot be completed and is not resumed; it may hold the upload slot/,
			);
			const { complete, size } = onlyUpload(service);
			expect(complete).toBe(false);
			// The service drops it at last, and the next file of that size is another upload.
			service.state.uploads = [];
			service.requests.length = 0;
			Object.assign(files, { gzip: 'never', content: randomBytes(size) });
			await uploadFrom(files.url, { staticData });
			expectArrived(service, files.content);
			expect(operations(service)[0]).toBe('uploadCreate');
		},
	);

	it.each<[string, Record<string, string>]>([
		['has no Content-Range', { 'Content-Range': '' }],
		['starts elsewhere', { 'Content-Range': 'bytes 0-999999/1000000' }],
		['is of a file of another size', { 'Content-Range': 'bytes 400000-999999/1000001' }],
		['is of a file of unknown size', { 'Content-Range': 'bytes 400000-999999/*' }],
		[
			'has several parts',
			{ 'Content-Range': '', 'Content-Type': 'multipart/byteranges; boundary=THIS_STRING_SEPARATES' },
		],
		['is of another version', { ETag: '"v2"' }],
		['is of no known version', { ETag: '' }],
	])('is not continued by a 206 that %s', async (_what, headers) => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 1 });
		const outcome = expect(uploadFrom(files.url)).rejects.toThrow(
			/changed while it was uploaded|when the part from byte 400000 was requested/,
		);
		await service.until(() => service.state.uploads[0]?.offset === 400_000);
		files.headers = headers;
		await outcome;
		expect(onlyUpload(service)).toMatchObject({ offset: 400_000, complete: false });
	});

	const LONG_AGO = 'Tue, 15 Nov 1994 12:45:26 GMT';
	it.each<[string, Partial<FileServer>, string | undefined]>([
		['a strong ETag', { etag: '"v1"', lastModified: LONG_AGO }, '"v1"'],
		['Last-Modified where there is no ETag', { etag: undefined, lastModified: LONG_AGO }, LONG_AGO],
	])('is requested again with %s as If-Range', async (_what, validators, ifRange) => {
		Object.assign(files, validators);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(reads()[1]?.headers).toMatchObject({ range: 'bytes=400000-' });
		expect(reads()[1]?.headers['if-range']).toBe(ifRange);
	});

	it.each([
		['a weak ETag, with a date next to it', { etag: 'W/"v1"', lastModified: LONG_AGO }],
		['a Last-Modified of just now', { etag: undefined, lastModified: new Date().toUTCString() }],
	])('is read from its beginning again with %s', async (_what, validators) => {
		Object.assign(files, validators);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(reads().map(({ headers }) => headers.range)).toEqual([undefined, undefined]);
	});

	it('is rejected when it is empty', async () => {
		files.content = Buffer.alloc(0);
		await expect(uploadFrom(files.url)).rejects.toThrow('"keynote 2026.mp4" is empty (0 bytes)');
		expect(service.requests).toEqual([]);
	});

	it('whose server returns 204 is rejected before an upload is created', async () => {
		files.statuses = [204];
		await expect(uploadFrom(files.url)).rejects.toThrow(/has no content: its server returned status 204/);
		expect(service.requests).toEqual([]);
	});

	it('is requested with the credentials in its URL, but not from another host', async () => {
		const other = await startFileServer(files.content);
		try {
			files.movedTo = other.url;
			const withPassword = `${files.origin.replace('http://', 'http://me:secret@')}/moved`;
			await uploadFrom(withPassword);
			expectArrived(service, files.content);
			const authorizations = (server: FileServer) =>
				new Set(server.requests.map(({ headers }) => headers.authorization));
			expect(authorizations(files)).toEqual(new Set([`Basic ${btoa('me:secret')}`]));
			expect(authorizations(other)).toEqual(new Set([undefined]));
		} finally {
			await other.close();
		}
	});

	it('behind endless redirects is rejected', async () => {
		files.movedTo = `${files.origin}/moved`;
		await expect(uploadFrom(`${files.origin}/moved`)).rejects.toThrow(/is behind too many redirects/);
		expect(service.requests).toEqual([]);
	});

	it.each<[string, string, Record<string, string>, string]>([
		['the last part of its address', '/a/talk%20%C3%BC.mp4?x=/y.mp4', {}, 'talk ü.mp4'],
		['the final address', '/moved', {}, 'keynote 2026.mp4'],
		[
			'Content-Disposition',
			'/a/1234',
			{ 'Content-Disposition': 'attachment; filename=talk.mp4' },
			'talk.mp4',
		],
	])('is named after %s', async (_what, path, headers, name) => {
		files.headers = headers;
		const { output } = await uploadFrom(`${files.origin}${path}`);
		expect(output.fileName).toBe(name);
		expect(onlyUpload(service).filename).toBe(name);
	});

	it('has the name that the parameter File Name sets, whatever its server returns', async () => {
		files.headers = { 'Content-Disposition': 'attachment; filename=talk.mp4' };
		const { output } = await uploadFrom(files.url, { parameters: { fileName: 'mine.mp4' } });
		expect(output.fileName).toBe('mine.mp4');
	});

	it('whose server is unreachable is reported by its host', async () => {
		const { url } = files;
		await files.close();
		await expect(uploadFrom(url)).rejects.toThrow(
			/The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)/,
		);
	});

	it.each(['', 'keynote.mp4', 'ftp://example.com/keynote.mp4', 'file:///etc/passwd'])(
		'is rejected before any request when its address is "%s"',
		async (url) => {
			await expect(uploadFrom(url)).rejects.toThrow(/^URL is/);
			expect(service.requests).toEqual([]);
		},
	);
});
