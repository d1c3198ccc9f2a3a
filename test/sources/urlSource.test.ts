import { policies } from '../execution/policies';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, upload } from '../upload/uploading';
import { files, fileServerForEachTest, startFileServer, type FileServer } from './fileServer';

serviceForEachTest();
fileServerForEachTest();

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
		[{ longestRange: 100_000 }, [undefined, range, { ...range, range: 'bytes=500000-' }]],
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

	it('is opened right before the first creation, and not again before others within a minute', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 429, times: 4 });
		await upload(service, { url: files.url });
		// Its size, the first creation, and the bytes.
		expect(files.requests.map(({ headers }) => headers.range)).toEqual(['bytes=0-0', undefined, undefined]);
	});

	it('is opened again before a creation after a minute, and nothing is created once it is gone', async () => {
		policies.sourceMs = 0;
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

	it.each<[string, string, Partial<FileServer>]>([
		['a web page', 'text/html', { etag: undefined, ranges: false }],
		['JSON', 'application/json', {}],
	])('that is %s once a part was sent is named, and not sent', async (what, type, served) => {
		Object.assign(files, served);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 400_000 });
		const running = failureOf(upload(service, { url: files.url }));
		await service.until(() => service.state.uploads[0]?.offset === 400_000);
		const headers = { 'Content-Type': type };
		Object.assign(files, { headers, content: Buffer.alloc(1_000_000, '<html>') });
		expect((await running).message).toContain(`is ${what}, not a video`);
		expect(onlyUpload(service).offset).toBe(400_000);
	});

	it.each([
		[0, /did not respond \(ECONNABORTED\)$/, /increase Idle Timeout\.$/],
		[1, /was idle for 1 seconds, so it was closed$/, /^Try again later\.$/],
	])('that stands still after %i requests creates no upload', async (answered, message, description) => {
		files.beforeBytes = async () =>
			await (files.requests.length > answered ? new Promise(() => {}) : undefined);
		const failure = await failureOf(upload(service, { url: files.url, options: { idleTimeoutSeconds: 1 } }));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
		expect(service.state.uploads).toEqual([]);
		expect(files.requests).toHaveLength(answered + 3);
	});

	it('whose server returns another ETag for a range than for the whole file is not said to have changed', async () => {
		Object.defineProperty(files, 'etag', { get: () => `"${files.requests.length}"` });
		const { description, message } = await failureOf(upload(service, { url: files.url }));
		expect(message).toMatch(/: 127\.0\.0\.1:\d+ returned another size or ETag than before$/);
		expect(description).toMatch(/^Run this again\. If it fails each time, download the file first/);
		expect(service.state.uploads).toEqual([]);
	});

	it('whose server fails at first is requested again', async () => {
		// A try ends with a request for the whole file.
		files.statuses = [503, 503, 503, 503];
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
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
		[
			'Content-Disposition, decoded',
			'/a/1234',
			{ 'Content-Disposition': 'attachment; filename="%E6%97%A5.mp4"' },
			'日.mp4',
		],
		['File Name', '/a/1234', disposition, 'mine.mp4', 'mine.mp4'],
	])('is named after %s', async (_what, path, headers, name, fileName = '') => {
		files.headers = headers;
		const { output } = await upload(service, { url: `${files.origin}${path}`, parameters: { fileName } });
		expect([output.fileName, onlyUpload(service).filename]).toEqual([name, name]);
	});

	it('whose server is unreachable is reported by its name and host alone, before an upload is created', async () => {
		await files.close();
		const { description, message } = await failureOf(upload(service, { url: files.url }));
		expect(message).toMatch(
			/^The file "keynote 2026\.mp4" at 127\.0\.0\.1:\d+ could not be downloaded: its server cannot be reached \(ECONNREFUSED\)$/,
		);
		expect(description).toBe('Check the URL and the network of this n8n.');
		expect(service.requests).toEqual([]);
	});

	const SHARE_LINK =
		/^A share link opens a page, and an expired link may\. Enter the link that downloads the file itself/;
	const DOWNLOAD = /^Download it first, for example with the HTTP Request node/;
	const CHECK = /^Check the URL, and that it can be opened without signing in/;
	const noSize = { 'Content-Length': '', 'Content-Range': '' };
	it.each<[number, Record<string, string>, number, RegExp, RegExp]>([
		[408, {}, 6, /returned status 408$/, /^Try again later\.$/],
		[429, {}, 6, /returned status 429$/, /^Try again later\.$/],
		[500, {}, 6, /returned status 500$/, /^Try again later\.$/],
		[416, {}, 2, /is empty, or shorter than before$/, /^Check the file\.$/],
		[407, {}, 2, /a proxy returned status 407$/, /^The proxy wants a user name/],
		[204, {}, 2, /its server returned status 204$/, CHECK],
		[302, {}, 2, /returned status 302$/, CHECK],
		[302, { Location: 'ftp://127.0.0.1/' }, 2, /returned status 302$/, CHECK],
		[302, { Location: 'http://[' }, 2, /returned status 302$/, CHECK],
		[200, { ...noSize, 'Content-Type': 'text/html' }, 2, /is a web page, not a video$/, SHARE_LINK],
		[200, { 'Content-Encoding': 'gzip' }, 1, /is sent compressed by its server/, DOWNLOAD],
		[200, noSize, 2, /does not return its size \(Content-Length\)$/, DOWNLOAD],
	])('answered with %i %j makes no upload, in %i requests', async (status, headers, requests, ...texts) => {
		const [message, description] = texts;
		Object.assign(files, { statuses: Array<number>(9).fill(status), headers });
		const failure = await failureOf(upload(service, { url: files.url }));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
		expect(service.requests).toEqual([]);
		expect(files.requests).toHaveLength(requests);
	});

	const QUOTA = 'The download quota for this file has been exceeded.';
	it.each<[string, string | null, RegExp]>([
		[
			'JSON',
			JSON.stringify({ error: { code: 403, message: QUOTA } }),
			/status 403: The download quota .* exceeded$/,
		],
		['text', `${QUOTA}\nRequest 1234`, /status 403: The download quota for this file has been exceeded\.$/],
		['a long text', 'quota '.repeat(100_000), /status 403: (quota ){30,40}.{0,5}…$/],
		['a web page', '<html>Sign in</html>', /status 403$/],
		['JSON without a text', '{"code":7}', /status 403$/],
		['bytes', '\0\x01', /status 403$/],
		['nothing', '', /status 403$/],
		['nothing in time', null, /status 403$/],
	])('that its server refuses is reported with what it says: %s', async (_what, rejection, message) => {
		Object.assign(files, { statuses: [403, 403], rejection });
		const failure = await failureOf(
			upload(service, { url: files.url, options: { idleTimeoutSeconds: 0.3 } }),
		);
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(CHECK);
	});

	it.each([404, 410, 403])('that its server returns once, and then status %i, is named', async (status) => {
		Object.assign(files, { statuses: [200, status, status], rejection: 'Link expired' });
		const { description, message } = await failureOf(upload(service, { url: files.url }));
		const happened = `was readable a moment ago, and then its server returned status ${status}: Link expired`;
		expect(message).toContain(happened);
		expect(description).toMatch(/^If the link works once, use the HTTP Request node first/);
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});

	it('is looked for through 20 redirects', async () => {
		files.movedTo = `${files.origin}/moved`;
		const failure = await failureOf(upload(service, { url: files.movedTo }));
		expect(failure.message).toMatch(/ is behind too many redirects$/);
		expect(failure.description).toBe('Enter its final address.');
		expect(files.requests).toHaveLength(1 + 20);
	});
});
