import { randomBytes } from 'node:crypto';

import { itemWithFile, itemWithFileInMemory } from '../../execution/executeNode';
import { policies } from '../../execution/policies';
import { service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { files, fileServerForEachTest } from '../../sources/fileServer';
import { by, expectUnsent, run } from '../run';

serviceForEachTest();
fileServerForEachTest();
beforeEach(() => {
	service.seedVideos([{ hash: 'video-1' }]);
});

const parameters = { resource: 'video', operation: 'setThumbnail', video: by('hash', 'video-1') };
const fromUrl = (url: string) => ({ ...parameters, source: 'url', url });
const image = randomBytes(300_000);

describe('Video → Set Thumbnail', () => {
	it('sends the image as the one multipart field file, with its name, type and bytes, and again with a new token', async () => {
		service.injectFault({ on: 'videoThumbnail', kind: 'expireToken' });
		const item = await itemWithFile(image, { fileName: 'still.png', mimeType: 'image/png' });
		const output = await run(parameters, { items: [item] });

		const [rejected, sent] = service.requestsOf('videoThumbnail');
		expect(rejected?.status).toBe(401);
		expect(sent).toMatchObject({ query: {}, status: 200, headers: { accept: 'application/json' } });
		const part = { field: 'file', filename: 'still.png', contentType: 'image/png', bytes: image };
		expect(sent?.form).toEqual([part]);
		expect(output).toMatchObject([{ hash: 'video-1', thumbnailSet: true }]);
	});

	it.each([
		[51 * 2 ** 20, 'The file in "data" is larger than 50 MiB'],
		[0, 'The file in "data" is empty'],
	])('rejects an image of %d bytes, unread', async (bytes, message) => {
		const ofName = { ...parameters, video: by('name', 'Clip') };
		// Whoever reads it fails with another error.
		const data = { id: 'filesystem-v2:gone', data: 'filesystem-v2', mimeType: 'image/png', bytes };
		await expectUnsent(run(ofName, { items: [{ json: {}, binary: { data } }] }), message);
	});

	it.each<[string | null | undefined, string, string?]>([
		[undefined, 'The file in "data" is not an image but of an unknown type'],
		[null, 'The file in "data" is not an image but of an unknown type'],
		['text/plain', 'The file in "data" is not an image but text/plain'],
		['video/mp4', 'The file is not an image but video/mp4', '={{ $binary.data }}'],
	])('rejects a file that is no image: %s', async (mimeType, message, binaryPropertyName = 'data') => {
		const item = await itemWithFile(image, { mimeType: 'text/plain' });
		// A Code node may leave out the type.
		Object.assign(item.binary?.data ?? {}, { mimeType });
		await expectUnsent(run({ ...parameters, binaryPropertyName }, { items: [item] }), message);
	});

	it.each([
		['image/png', '\x89PNG\r\n\x1a\n'],
		['image/jpeg', '\xff\xd8\xff'],
		['image/gif', 'GIF89a'],
		['image/webp', 'RIFF\0\0\0\0WEBP'],
	])('knows %s by its first bytes, whatever its type is said to be', async (contentType, head) => {
		files.content = Buffer.from(`${head} and more`, 'latin1');
		const sent = () => service.requestsOf('videoThumbnail').at(-1)?.form;
		for (const type of ['', 'application/octet-stream', 'image/bmp']) {
			await run(parameters, { items: [itemWithFileInMemory(files.content, { mimeType: type })] });
			expect(sent()).toMatchObject([{ contentType, bytes: files.content }]);
			files.headers = { 'Content-Type': type };
			await run(fromUrl(files.url));
			expect(sent()).toMatchObject([{ filename: 'keynote 2026.mp4', contentType, bytes: files.content }]);
		}
	});

	it('sends an image at a URL with the type and name of the response, and no token to its server', async () => {
		files.headers = {
			'Content-Type': 'Image/svg+xml; charset=utf-8',
			'Content-Disposition': 'attachment; filename="still.svg"',
		};
		await run(fromUrl(files.url));
		const part = { filename: 'still.svg', contentType: 'image/svg+xml', bytes: files.content };
		expect(service.requestsOf('videoThumbnail')).toMatchObject([{ form: [part] }]);
		expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
	});

	/** The server sends no byte from this one on. */
	const stallAt = (bytes: number) =>
		(files.beforeBytes = async (offset) => await new Promise((resolve) => offset < bytes && resolve()));
	/** The server announces twice as many bytes as it has. */
	const announce = (bytes: number, type: string) => {
		files.content = Buffer.alloc(bytes);
		files.headers = { 'Content-Type': type, 'Content-Length': String(bytes * 2) };
	};
	const aborted = / could not be downloaded \(aborted\)\. Try again later\.$/;
	const late = / could not be downloaded \(.*timeout\)\. Try again later\.$/;
	const tooLarge = / is larger than 50 MiB\. /;
	it.each<[string, () => unknown, RegExp]>([
		['nothing', () => (files.content = Buffer.alloc(0)), / is empty \(0 bytes\)/],
		['an error status', () => (files.statuses = [403]), / its server returned status 403\. Check the URL/],
		['a body that ends early', () => (files.breaksOffAfter = [100]), aborted],
		[
			'a body that stops in the middle',
			() => {
				policies.requestMs = 1_000;
				stallAt(1);
			},
			late,
		],
		[
			'more than 50 MiB of unknown length, and not until its end',
			() => {
				Object.assign(files, { content: Buffer.alloc(52 * 2 ** 20), lengths: false });
				stallAt(51 * 2 ** 20);
			},
			tooLarge,
		],
		['a length of more than 50 MiB, unread', () => announce(26 * 2 ** 20, 'image/png'), tooLarge],
		['a film, unread', () => announce(300, 'video/mp4'), / is not an image but video\/mp4\. /],
	])('rejects %s at a URL before anything is sent to the service', async (_what, prepare, message) => {
		files.headers = { 'Content-Type': 'image/jpeg' };
		prepare();
		const [output] = await run(fromUrl(files.url), { onError: 'continueRegularOutput' });
		expect(output?.error).toMatch(message);
		expect(output?.error).toMatch(/^The file "keynote 2026.mp4" at 127\.0\.0\.1/);
		expect(JSON.stringify(output)).not.toContain('very-secret');
		expect(service.requests).toEqual([]);
	});
});
