import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

import { urlSource } from '../../nodes/VideoHosting/sources/urlSource';
import { executeContext } from '../execution/executeNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, upload } from '../upload/uploading';
import { files, fileServerForEachTest, startFileServer, type FileServer } from './fileServer';

serviceForEachTest();
fileServerForEachTest();

/** Opens a file whose requests n8n's HTTP client answers with what `respond` returns or throws. */
async function open(respond: (body: Readable) => unknown) {
	const { context } = await executeContext({ service, parameters: {} });
	context.helpers.httpRequest = async ({ abortSignal }) => {
		signals.push(abortSignal);
		const body = new Readable({ read: () => {} });
		return await Promise.resolve({ headers: {}, body, ...(respond(body) as object) });
	};
	return await urlSource(context, files.url, 1_000);
}

/** What ends the requests of {@link open}. */
const signals: unknown[] = [];

describe('A file at a URL', () => {
	it('is streamed to the service after one request for its first byte, without a token', async () => {
		const { output } = await upload(service, { url: files.url });
		expectArrived(service, files.content);
		expect(output).toMatchObject({ fileName: 'keynote 2026.mp4', size: 1_000_000, complete: true });
		const seen = files.requests.map(({ method, headers }) => [method, headers.range]);
		expect(seen).toEqual([
			['GET', 'bytes=0-0'],
			['GET', undefined],
		]);
		expect(files.requests.filter(({ headers }) => headers.authorization)).toEqual([]);
	});

	const range = { range: 'bytes=400000-', validator: '"v1"' };
	it.each<[Partial<FileServer>, unknown[]]>([
		[{ etag: '"v1"' }, [undefined, range]],
		[{ etag: '"v1"', ranges: false }, [undefined, range]],
		[{ etag: 'W/"v1"' }, [undefined, undefined, undefined]],
	])('continues after a cut, from a server with %j', async (served, expected) => {
		Object.assign(files, served);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
		const reads = files.requests.slice(1).map(({ headers }) => {
			return headers.range && { range: headers.range, validator: headers['if-range'] };
		});
		// Without a strong validator, the part that was sent is compared, and then the rest is read.
		expect(reads.slice(0, expected.length)).toEqual(expected);
	});

	it('is opened right before each creation while the upload slot is waited for, and nothing is created once it is gone', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 4 });
		// One request is for the size.
		files.statuses = [200, 200, 200, 403];
		await failureOf(upload(service, { url: files.url }));
		expect(service.requestsOf('uploadCreate')).toHaveLength(2);
		expect(service.state.uploads).toEqual([]);
	});

	it.each(['"v1"', undefined])('continues when its own server cuts it (ETag %s)', async (etag) => {
		Object.assign(files, { etag, breaksOffAfter: [Infinity, 300_000, 300_000, 900_000] });
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
	});

	const DOWNLOAD = /^Download it first, for example with the HTTP Request node/;
	const CHECK = /^Check the URL, and that it can be opened without signing in/;
	it('that is a web page once a part of it was sent is named, and no byte of the page is sent', async () => {
		Object.assign(files, { etag: undefined, ranges: false });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		const running = failureOf(upload(service, { url: files.url }));
		await service.until(() => service.state.uploads[0]?.offset === 400_000);
		const headers = { 'Content-Type': 'text/html' };
		Object.assign(files, { headers, content: Buffer.alloc(1_000_000, '<html>') });
		expect((await running).message).toContain('is a web page, not a video');
		expect(onlyUpload(service).offset).toBe(400_000);
	});

	it('that stands still before an upload is created is an error with advice', async () => {
		files.beforeBytes = async () => await (files.requests.length > 1 ? new Promise(() => {}) : undefined);
		const options = { idleTimeoutSeconds: 0.3 };
		const failure = await failureOf(upload(service, { url: files.url, options }));
		expect(failure.description).toBe('Try again later.');
		expect(service.state.uploads).toEqual([]);
		// One request is for the size.
		expect(files.requests).toHaveLength(1 + 3);
	});

	it('whose server returns another ETag for a range than for the whole file is not said to have changed', async () => {
		Object.defineProperty(files, 'etag', { get: () => `"${files.requests.length}"` });
		const { description, message } = await failureOf(upload(service, { url: files.url }));
		expect(message).toMatch(/: 127\.0\.0\.1:\d+ returned another size or ETag than before$/);
		expect(description).toMatch(/^Run this again\. If it fails each time, download the file first/);
		expect(service.state.uploads).toEqual([]);
	});

	it.each([true, false])(
		'that its server compresses whatever is asked for creates no upload (ranges: %s)',
		async (ranges) => {
			const headers = { 'Content-Encoding': 'gzip' };
			Object.assign(files, { content: gzipSync(files.content), headers, ranges });
			const failure = await failureOf(upload(service, { url: files.url }));
			expect(failure.message).toMatch(/"keynote 2026\.mp4" at .+ is sent compressed by its server/);
			expect(failure.description).toMatch(DOWNLOAD);
			expect(service.requests).toEqual([]);
			expect(files.requests).toHaveLength(1);
		},
	);

	it('whose server fails at first is requested again, but not more than three times', async () => {
		// A try ends with a request for the whole file.
		files.statuses = [503, 503, 503, 503];
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
		files.statuses = [503, 503, 503, 503, 503, 503];
		await expect(upload(service, { url: files.url })).rejects.toThrow('returned status 503');
	});

	it('is requested with the credentials in its URL, but not from another host', async () => {
		const other = await startFileServer(files.content);
		// Browsers and curl accept UTF-8 in Location.
		files.movedTo = Buffer.from(`${other.origin}/vidéo.mp4`).toString('latin1');
		const url = `${files.origin.replace('http://', 'http://me:secret@')}/moved`;
		expect((await upload(service, { url })).output.fileName).toBe('vidéo.mp4');
		await other.close();
		expectArrived(service, files.content);
		const authorizations = ({ requests }: FileServer) =>
			new Set(requests.map(({ headers }) => headers.authorization));
		expect(authorizations(files)).toEqual(new Set([`Basic ${btoa('me:secret')}`]));
		expect(authorizations(other)).toEqual(new Set([undefined]));
	});

	const disposition = {
		'Content-Disposition': 'attachment; filename=talk.mp4',
		// As some servers call no encoding.
		'Content-Encoding': 'none',
	};
	it.each<[string, string, Record<string, string>, string, string?]>([
		['the final address', '/moved', {}, 'keynote 2026.mp4'],
		['Content-Disposition', '/a/1234', disposition, 'talk.mp4'],
		['File Name', '/a/1234', disposition, 'mine.mp4', 'mine.mp4'],
	])('is named after %s', async (_what, path, headers, name, fileName = '') => {
		files.headers = headers;
		const { output } = await upload(service, { url: `${files.origin}${path}`, parameters: { fileName } });
		expect([output.fileName, onlyUpload(service).filename]).toEqual([name, name]);
	});

	it('whose server is unreachable is reported by its name and host alone, before an upload is created', async () => {
		await files.close();
		const { message } = await failureOf(upload(service, { url: files.url }));
		expect(message).toMatch(
			/^The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ could not be downloaded: its server cannot be reached \(ECONNREFUSED\)$/,
		);
		expect(service.requests).toEqual([]);
	});

	const NO_SIZE = /does not return its size \(Content-Length\)$/;
	const SHARE_LINK =
		/^A share link opens a page, and an expired link may\. Enter the link that downloads the file itself/;
	const page = { statusCode: 200, headers: { 'content-type': 'text/html; charset=utf-8' } };
	const redirect = (location: string) => ({ statusCode: 302, headers: { location } });
	const part = (range: string) => ({ statusCode: 206, headers: { 'content-range': range } });
	it.each<[object, RegExp, RegExp, boolean?]>([
		[{ statusCode: 408 }, /returned status 408$/, /^Try again later\.$/, true],
		[{ statusCode: 429 }, /returned status 429$/, /^Try again later\.$/, true],
		[{ statusCode: 500 }, /returned status 500$/, /^Try again later\.$/, true],
		[{ statusCode: 416 }, /is empty, or shorter than before$/, /^Check the file\.$/],
		[{ statusCode: 407 }, /a proxy returned status 407$/, /^The proxy wants a user name/],
		[{ statusCode: 204 }, /its server returned status 204$/, CHECK],
		[{ statusCode: 302 }, /returned status 302$/, CHECK],
		[redirect('ftp://127.0.0.1/'), /returned status 302$/, CHECK],
		[redirect('http://['), /returned status 302$/, CHECK],
		[{ statusCode: 200, headers: { 'content-encoding': 'br' } }, /is sent compressed/, DOWNLOAD],
		[page, /is a web page, not a video$/, SHARE_LINK],
		[{ statusCode: 200 }, NO_SIZE, DOWNLOAD],
		[{ statusCode: 206 }, NO_SIZE, DOWNLOAD],
		[part('bytes 0-0/*'), NO_SIZE, DOWNLOAD],
		[part('bytes 0-0/1x'), NO_SIZE, DOWNLOAD],
		[part('bytes 0-0/x1'), NO_SIZE, DOWNLOAD],
		[
			{ code: 'ENOTFOUND' },
			/: its server cannot be reached \(ENOTFOUND\)$/,
			/^Check the URL and the network/,
			true,
		],
		[{ code: 'ETIMEDOUT' }, /: its server did not respond \(ETIMEDOUT\)$/, /increase Idle Timeout/, true],
		[
			{ code: 'ECONNABORTED' },
			/: its server did not respond \(ECONNABORTED\)$/,
			/increase Idle Timeout/,
			true,
		],
		[{ message: 'No', description: 'Ask' }, /could not be requested: No$/, /^Ask$/],
	])(
		'answered with %j is an error with advice',
		async (answer, message, description, isTransient = false) => {
			const opening = open((body) => {
				body.push('a');
				if (!('statusCode' in answer)) throw Object.assign(new Error(), answer);
				return answer;
			});
			await expect(opening).rejects.toMatchObject({
				message: expect.stringMatching(message) as string,
				description: expect.stringMatching(description) as string,
				isTransient,
			});
		},
	);

	it('is looked for through 20 redirects', async () => {
		files.movedTo = `${files.origin}/moved`;
		const failure = await failureOf(upload(service, { url: files.movedTo }));
		expect(failure.message).toMatch(/ is behind too many redirects$/);
		expect(failure.description).toBe('Enter its final address.');
		expect(files.requests).toHaveLength(1 + 20);
	});

	it('whose responses are closed before they are read', async () => {
		signals.length = 0;
		await open(() =>
			signals.length === 1 ? redirect('/a') : { statusCode: 200, headers: { 'content-length': '5' } },
		);
		expect(signals).toMatchObject([{ aborted: true }, { aborted: true }]);
	});
});
