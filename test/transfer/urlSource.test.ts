import { randomBytes } from 'node:crypto';

import { startService, type RunningService } from '../service';
import { startFileServer, type FileServer } from './fileServer';
import {
	expectArrived,
	onlyUpload,
	shortenPauses,
	upload,
	type UploadRun,
	type UploadRunResult,
} from './uploading';

shortenPauses();

let service: RunningService;
let files: FileServer;
beforeEach(async () => {
	service = await startService();
	files = await startFileServer(randomBytes(1_000_000));
});
afterEach(async () => {
	await service.close();
	await files.close();
});

async function uploadFrom(url: string, run: UploadRun = {}): Promise<UploadRunResult> {
	return await upload(service, {
		item: { json: {} },
		...run,
		parameters: { source: 'url', url, ...run.parameters },
	});
}

const gets = () => files.requests.filter(({ method }) => method === 'GET');

describe('a file at a URL', () => {
	it('is streamed to the service under the last part of its address', async () => {
		const { output } = await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(output).toMatchObject({ fileName: 'keynote 2026.mp4', size: 1_000_000, complete: true });
		expect(files.requests.map(({ method }) => method)).toEqual(['HEAD', 'GET']);
	});

	it('is asked for without the token of the credential', async () => {
		await uploadFrom(files.url);
		expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined, undefined]);
	});

	it('is asked for from the offset of the service, if it is unchanged, after the service cut the upload', async () => {
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(gets().map(({ headers }) => [headers.range, headers['if-range']])).toEqual([
			[undefined, undefined],
			['bytes=400000-', '"v1"'],
		]);
	});

	it('is read on where its server broke off', async () => {
		files.breaksOffAfter = [300_000, 300_000];
		const { output } = await uploadFrom(files.url);
		expectArrived(service, files.content);
		expect(gets()).toHaveLength(3);
		expect(output.resumes).toBe(2);
	});

	it('is read from its beginning again, up to the offset, where the server knows no ranges', async () => {
		files.ranges = false;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000, times: 2 });
		await uploadFrom(files.url);
		expectArrived(service, files.content);
	});

	it('is read in requests of the size that is asked for, over one connection to its server', async () => {
		await uploadFrom(files.url, { options: { maxRequestMegabytes: 0.25 } });
		expectArrived(service, files.content);
		expect(gets()).toHaveLength(1);
		expect(onlyUpload(service).patches).toHaveLength(4);
	});

	it.each([403, 405, 501])('is measured by a GET where HEAD is answered %d', async (status) => {
		files.headStatus = status;
		await uploadFrom(files.url);
		expectArrived(service, files.content);
	});

	it('may lie behind a redirect', async () => {
		await uploadFrom(`${files.origin}/moved`, { parameters: { fileName: 'moved.mp4' } });
		expectArrived(service, files.content);
	});

	it.each([500, 503, 429])('is asked for again when its server answers %d', async (status) => {
		files.statuses = [status, status];
		await uploadFrom(files.url);
		expectArrived(service, files.content);
	});

	it.each([
		[404, /The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ was refused with status 404\. Check the URL/],
		[401, /was refused with status 401\. Check the URL, and that it can be opened without signing in/],
	])('that is answered %d is refused before an upload is created', async (status, message) => {
		files.headStatus = status;
		files.statuses = [status];
		await expect(uploadFrom(files.url)).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('whose length the server does not say is refused before an upload is created, with another way', async () => {
		files.lengths = false;
		await expect(uploadFrom(files.url)).rejects.toThrow(
			/the server does not say how long it is \(Content-Length\)\. Download it first/,
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
	])('that changes in between is refused: %s', async (_what, change) => {
		if (_what.includes('no ETag')) files.etag = undefined;
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		service.injectFault({ on: 'uploadHead', kind: 'delay', ms: 1 });
		const running = uploadFrom(files.url);
		const outcome = expect(running).rejects.toThrow(/changed while it was uploaded/);
		await service.until(() => service.state.uploads[0]?.offset === 400_000);
		change();
		await outcome;
		expect(onlyUpload(service).offset).toBe(400_000);
	});

	it('whose server is not there is told by its host', async () => {
		const { url } = files;
		await files.close();
		await expect(uploadFrom(url)).rejects.toThrow(
			/The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ could not be reached \(ECONNREFUSED\)/,
		);
	});

	it('never has its query in an error, since it may hold a signature', async () => {
		files.headStatus = 403;
		files.statuses = [403];
		const error = await uploadFrom(files.url).catch((thrown: unknown) => thrown);
		expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.toContain('very-secret');
	});

	it.each(['', 'keynote.mp4', 'ftp://example.com/keynote.mp4', 'file:///etc/passwd'])(
		'is refused before anything is sent when its address is "%s"',
		async (url) => {
			await expect(uploadFrom(url)).rejects.toThrow(/^URL is/);
			expect(service.requests).toEqual([]);
		},
	);
});
