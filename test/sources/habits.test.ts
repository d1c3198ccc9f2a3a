import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemWithFileInMemory } from '../execution/executeNode';
import { expectArrived, failureOf, mp4Of, sha256, upload } from '../upload/uploading';
import { itemByMode } from './binaryModes';
import { files, fileServerForEachTest, startFileServer, type FileServer } from './fileServer';

/** What arrives at the service is exactly the file, or nothing. */

serviceForEachTest();
fileServerForEachTest();

/** Cuts the first request of an upload. */
function cutAt(afterBytes: number): void {
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes });
}

describe('A server that rejects ranges', () => {
	it.each([400, 403, 404, 416, 501, 503])('with %d is asked for whole files from then on', async (status) => {
		files.rejectsRanges = status;
		cutAt(400_000);
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
		const ranges = files.requests.map(({ headers }) => headers.range);
		expect(ranges).toEqual(['bytes=0-0', undefined, undefined, undefined]);
	});

	it('is reported by its answer to a request without one', async () => {
		files.statuses = [416, 403];
		const { message } = await failureOf(upload(service, { url: files.url }));
		expect(message).toMatch(/returned status 403$/);
		expect(service.requests).toEqual([]);
	});
});

describe('A server whose range begins elsewhere', () => {
	it.each<[string, Partial<FileServer>]>([
		['at the beginning of its block', { blockBytes: 65_536 }],
		[
			'at the beginning of its block, and ends before the offset',
			{ blockBytes: 65_536, longestRange: 1_000 },
		],
		['too late', { lateBytes: 1 }],
		['anywhere, as it does not say where', { headers: { 'Content-Range': '' } }],
		['at byte 0, but has fewer bytes', { headers: { 'Content-Range': 'bytes 0-999999/1000000' } }],
	])('%s sends the file all the same', async (_where, served) => {
		cutAt(400_001);
		Object.assign(files, served);
		await upload(service, { url: files.url });
		expectArrived(service, files.content);
	});
});

it.each<[string, Partial<FileServer>]>([
	['ignores ranges', { ranges: false }],
	['has ranges', {}],
	['rejects ranges', { rejectsRanges: 403 }],
	['returns another type', { headers: { 'Content-Type': 'text/html' } }],
	['compresses', { headers: { 'Content-Encoding': 'gzip' }, ranges: false }],
	['states no size', { lengths: false, ranges: false }],
])('No connection to a server that redirects and %s stays open', async (_what, served) => {
	Object.assign(files, served);
	// Neither the file nor the page of the redirect is read to its end.
	files.content = Buffer.alloc(20_000_000, files.content);
	await upload(service, {
		url: `${files.origin}/moved`,
		options: { maxWaitMinutes: 0 },
		onError: 'continueRegularOutput',
	});
	for (let waited = 0; waited < 2_000 && (await files.connections()) > 0; waited += 20) await sleep(20);
	expect(await files.connections()).toBe(0);
});

it('A redirect that sets cookies and wants them back is followed, and no other server gets them', async () => {
	const other = await startFileServer(files.content);
	Object.assign(files, { wantsCookie: true, movedTo: other.url });
	await upload(service, { url: `${files.origin}/moved` });
	await other.close();
	expectArrived(service, files.content);
	expect(other.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
	// Each request of a file begins anew.
	const cookie = 'session=a=b; seen=1';
	expect(files.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, cookie, undefined, cookie]);
});

it('A certificate that n8n does not trust is named, with what to do, and not tried again', async () => {
	const [key, cert] = ['key.pem', 'cert.pem'].map((name) =>
		readFileSync(join(__dirname, '..', 'fakeService', 'loopbackCertificate', name)),
	);
	if (!key || !cert) throw new Error('The certificate is missing');
	const server = await startFileServer(files.content, { key, cert });
	const { description, message } = await failureOf(upload(service, { url: server.url }));
	await server.close();
	expect(message).toMatch(/: its server has a TLS certificate that n8n does not trust \([A-Z_]+\)$/);
	expect(description).toMatch(/^Check the URL\. .+NODE_EXTRA_CA_CERTS/);
	expect(server.accepted).toHaveLength(1);
	expect(service.requests).toEqual([]);
});

describe('What is no video', () => {
	const page = '\ufeff\n<!DOCTYPE html><html><body>Sign in</body></html>';
	const latin1 = (head: string) => Buffer.from(head.padEnd(600, '\0\xff'), 'latin1');
	const inMemory = (content: Buffer, mimeType: string, fileName = 'clip.mp4') =>
		itemWithFileInMemory(content, { fileName, mimeType });
	const zip = (first: string) => `PK\x03\x04${'\x14\0'.repeat(13)}${first}`;

	it.each<[string, string | Buffer]>([
		['a web page', page],
		['a web page', '<HTML>'],
		['a web page', latin1('<!-- M\xe4ntenance -->\n<html>')],
		['JSON', ' {"error":{"message":"not found"}}'],
		['JSON', '[]'],
		['JSON', `{\n"a":"${'x'.repeat(64_000)}"}`],
		['a playlist', '#EXTM3U\n#EXT-X-VERSION:3\n'],
		['text', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n'],
		['text', '1\n00:00:01,000 --> 00:00:02,000\nGrüße\n'],
		['text', '[00:01] lyrics\tand more'],
		// The last of 512 bytes is the first one of a character.
		['text', `${'x'.repeat(511)}é`],
		['a picture', latin1('\x89PNG\r\n\x1a\n')],
		['a picture', latin1('\xff\xd8\xff\xe0')],
		['a picture', latin1('GIF89a')],
		['a picture', latin1('RIFF\x01\x02\x03\x04WEBP')],
		['a picture', latin1('II*\0')],
		['a picture', latin1('MM\0*')],
		['a picture', latin1('BM\x01\x02\x03\x04\0\0\0\0')],
		...['heic', 'heix', 'mif1', 'msf1', 'avif'].map((brand): [string, Buffer] => [
			'a picture',
			latin1(`\0\0\0\x18ftyp${brand}`),
		]),
		['a PDF', '%PDF-1.7\n'],
		['an archive or an Office document', latin1('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')],
		['an archive or an Office document', latin1(zip('[Content_Types].xml'))],
		['an archive or an Office document', latin1(zip('clip.mp4'))],
		['an archive or an Office document', latin1('PK\x05\x06')],
		['an archive or an Office document', latin1('\x1f\x8b\x08')],
		['an archive or an Office document', latin1('Rar!\x1a\x07')],
		['an archive or an Office document', latin1('7z\xbc\xaf\x27\x1c')],
		['a part of an email', latin1('\x30\x82\x06\xf3\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02')],
		['a part of an email', latin1('\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02')],
		['a part of an email', latin1('\x78\x9f\x3e\x22')],
	])('is recognized by its first bytes only: %s (%#)', async (what, head) => {
		const content = Buffer.from(head);
		for (const type of ['video/mp4', '']) {
			Object.assign(files, { content, headers: { 'Content-Type': type } });
			const ofUrl = await failureOf(upload(service, { url: files.url }));
			expect(ofUrl.message).toContain(`is ${what}, not a video`);
			expect(ofUrl.description).not.toBe('');
			const ofData = await failureOf(upload(service, { item: inMemory(content, type) }));
			expect(ofData.message).toBe(`The file "clip.mp4" is ${what}, not a video`);
		}
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});

	/** Packets of 192 bytes (Blu-ray Disc AV): a timestamp and a packet of MPEG-TS. */
	const m2ts = (timestamp: string) => latin1(`${timestamp}G`.padEnd(192, 'x').repeat(3));
	it.each<[string, Buffer, string?, string?]>([
		['ftyp that its platform calls a page', mp4Of(''), 'text/html'],
		['ftyp that its platform calls JSON', mp4Of(''), 'application/json; charset=utf-8'],
		['ftyp that its platform calls a playlist', mp4Of(''), 'application/vnd.apple.mpegurl'],
		['AVI', latin1('RIFF\x01\x02\x03\x04AVI LIST')],
		['M2TS with the timestamp of a JPEG', m2ts('\xff\xd8\xff\xe0')],
		['M2TS with the timestamp of an archive', m2ts('PK\x03\x04')],
		['M2TS with the timestamp of a TIFF picture', m2ts('II*\0')],
		['M2TS with the timestamp of text', m2ts('text')],
		['MJPEG by its name', latin1('\xff\xd8\xff\xe0'), 'image/jpeg', 'cam.mjpeg'],
		['MJPEG by its short name', latin1('\xff\xd8\xff\xe0'), 'image/jpeg', 'CAM.MJPG'],
		['MJPEG by its type', latin1('\xff\xd8\xff\xe0'), 'video/x-motion-jpeg'],
		['YUV4MPEG2 of white frames', Buffer.from(`YUV4MPEG2 W2 H2\nFRAME\n${'x'.repeat(600)}`)],
		['ASF', latin1('\x30\x26\xb2\x75\x8e\x66\xcf\x11')],
		['MPEG-TS', latin1('G@\0\x10'.padEnd(188, '\xff').repeat(3))],
		['H.264', latin1('\0\0\0\x01\x67')],
		['MXF', latin1('\x06\x0e\x2b\x34')],
		['FLV', latin1('FLV\x01')],
		['Ogg', latin1('OggS\0')],
		['ID3', latin1('ID3\x03\0')],
		['UTF-16', Buffer.from('title;date', 'utf16le')],
		['a character that is cut at the end of the file', Buffer.from('Grüße').subarray(0, 3)],
	])('is not %s', async (_what, content, type = '', fileName = 'clip.mp4') => {
		await upload(service, { item: inMemory(content, type, fileName) });
		expectArrived(service, content);
		const disposition = `attachment; filename="${fileName}"`;
		Object.assign(files, {
			...{ content, headers: { 'Content-Type': type, 'Content-Disposition': disposition } },
		});
		await upload(service, { url: files.url });
		expect(service.state.uploads.map(({ sha256 }) => sha256)).toEqual(Array(2).fill(sha256(content)));
	});

	it('is not a JPEG file whose video is called .mjpeg', async () => {
		const [item, parameters] = [
			inMemory(latin1('\xff\xd8\xff'), 'image/jpeg', 'cam'),
			{ fileName: 'a.mjpeg' },
		];
		expect((await upload(service, { item, parameters })).output.complete).toBe(true);
	});

	it('is a picture of another kind that is called .mjpeg', async () => {
		const item = inMemory(latin1('GIF89a'), 'image/gif', 'cam.mjpeg');
		expect((await failureOf(upload(service, { item }))).message).toContain('is a picture, not a video');
	});

	it.each(['filesystem', 'database', 's3'] as const)('is found in a stored file: mode %s', async (mode) => {
		const item = await itemByMode[mode](Buffer.from(page.padEnd(900_000)));
		expect((await failureOf(upload(service, { item }))).message).toContain('is a web page');
		expect(service.requestsOf('uploadCreate')).toEqual([]);
	});
});

describe('Binary data in memory', () => {
	const content = Buffer.from('\xff\xfe video bytes \xfb\xf0', 'latin1');
	const itemOf = (data: string, file: Partial<IBinaryData> = {}): INodeExecutionData => ({
		json: {},
		binary: { data: { mimeType: 'video/mp4', fileName: 'clip.mp4', data, ...file } },
	});
	const base64 = content.toString('base64');

	it.each([
		['base64', base64],
		['a data URI', `data:video/mp4;base64,${base64}`],
		['a data URI of more parameters', `DATA:video/mp4;codecs="avc1";base64,${base64}`],
		['base64 of URLs, without padding', content.toString('base64url')],
		['base64 in lines', base64.replace(/(.{8})/g, '$1\r\n')],
	])('is sent as the bytes that it stands for: %s', async (_what, data) => {
		await upload(service, { item: itemOf(data) });
		expectArrived(service, content);
	});

	const NO_BASE64 = ['https://a.example/a.mp4', 'plain text!', 'data:video/mp4,abc', `${base64}==${base64}`];
	it.each(NO_BASE64)('that is no base64 is an error, and nothing is sent: %j', async (data) => {
		const failure = await failureOf(upload(service, { item: itemOf(data) }));
		expect(failure.message).toBe('The binary field "data" contains no base64');
		expect(service.requests).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['S3, FTP, Nextcloud', { error: 'No such file or directory.' }],
		['HTTP Request', { error: { message: 'No such file or directory', name: 'AxiosError', code: 550 } }],
	])('of a node that continued after its error (%s) is an error with that', async (_node, json) => {
		for (const binaryPropertyName of ['data', '*'])
			for (const resume of [undefined, 'x']) {
				const run = { item: { json }, parameters: { binaryPropertyName }, resume };
				const { output } = await upload(service, { ...run, onError: 'continueRegularOutput' });
				const { error } = output as { error: string | IDataObject };
				const text = typeof error === 'string' ? error : error.message;
				expect(text).toMatch(/^The node before this one failed: No such file or directory\./);
			}
		expect(service.requests).toEqual([]);
	});

	it('of an item with an error, other files and without the one is an error about the file', async () => {
		const item = { ...itemOf(base64), json: { error: 'No such file' } };
		const failure = await failureOf(upload(service, { item, parameters: { binaryPropertyName: 'x' } }));
		expect(failure.message).toBe('The item has no binary field "x". It has "data"');
	});
});
