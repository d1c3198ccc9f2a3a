import { randomBytes } from 'node:crypto';

import { itemWithFile } from '../../execution/executeNode';
import { policies } from '../../execution/policies';
import { service, serviceForEachTest } from '../../fakeService/serviceForEachTest';
import { files, fileServerForEachTest } from '../../sources/fileServer';
import { by, expectUnsent, run } from '../run';

serviceForEachTest();
beforeEach(() => {
	service.seedVideos([{ hash: 'video-1' }]);
});

const parameters = { resource: 'video', operation: 'setThumbnail', video: by('hash', 'video-1') };
const image = randomBytes(300_000);
const itemWithImage = async () => await itemWithFile(image, { fileName: 'still.png', mimeType: 'image/png' });
const sentParts = () => service.requestsOf('videoThumbnail').map(({ form = [] }) => form);

describe('Video → Set Thumbnail', () => {
	it('sends the image as the one multipart field file, with its name, type and bytes', async () => {
		const output = await run(parameters, { items: [await itemWithImage()] });

		const [sent] = service.requestsOf('videoThumbnail');
		expect(sent).toMatchObject({ query: {}, status: 200, headers: { accept: 'application/json' } });
		const part = { field: 'file', filename: 'still.png', contentType: 'image/png', bytes: image };
		expect(sentParts()).toEqual([[part]]);
		expect(output).toMatchObject([{ hash: 'video-1', thumbnailSet: true }]);
	});

	it('is sent again, whole, with a new token', async () => {
		service.injectFault({ on: 'videoThumbnail', kind: 'expireToken' });
		await run(parameters, { items: [await itemWithImage()] });
		expect(service.requestsOf('videoThumbnail').map(({ status }) => status)).toEqual([401, 200]);
		expect(sentParts()[1]).toMatchObject([{ bytes: image }]);
	});

	it.each<[string | null | undefined, number, string, string?]>([
		[undefined, 300, 'The file in "data" is not an image but of an unknown type'],
		[null, 300, 'The file in "data" is not an image but of an unknown type'],
		['text/plain', 300, 'The file in "data" is not an image but text/plain'],
		['', 300, 'The file is not an image but of an unknown type', '={{ $binary.data }}'],
		['image/png', 0, 'The file in "data" is empty'],
		['image/png', 51 * 2 ** 20, 'The file in "data" is larger than 50 MiB'],
	])(
		'rejects a file that is no image or too large, unread: %s',
		async (mimeType, bytes, message, binaryPropertyName = 'data') => {
			const ofName = { ...parameters, video: by('name', 'Clip'), binaryPropertyName };
			// Whoever reads it fails with another error.
			// A Code node may leave out the type.
			const type = mimeType as string;
			const data = { id: 'filesystem-v2:gone', data: 'filesystem-v2', mimeType: type, bytes };
			await expectUnsent(run(ofName, { items: [{ json: {}, binary: { data } }] }), message);
		},
	);
});

describe('Video → Set Thumbnail from a URL', () => {
	fileServerForEachTest();
	beforeEach(() => {
		files.headers = { 'Content-Type': 'image/jpeg' };
	});
	const fromUrl = (url: string) => ({ ...parameters, source: 'url', url });
	const failed = 'could not be downloaded';
	/** After its first bytes, nothing more of the file arrives. */
	const stall = (bytes: number, type: string) => {
		files.content = Buffer.alloc(bytes);
		files.headers = { 'Content-Type': type, 'Content-Length': String(bytes * 2) };
	};

	it('ends when the server of the image stalls in the middle', async () => {
		policies.timeouts.requestMs = 1_000;
		files.beforeBytes = async (offset) => await new Promise((resolve) => offset === 0 && resolve());
		await expect(run(fromUrl(files.url))).rejects.toMatchObject({
			message: expect.stringMatching(/could not be downloaded \(.*timeout\)/) as string,
			description: 'Try again later.',
		});
	});

	it('sends the image with the type and name of the response, and no token to its server', async () => {
		files.headers = {
			'Content-Type': 'Image/svg+xml; charset=utf-8',
			'Content-Disposition': 'attachment; filename="still.svg"',
		};
		await run(fromUrl(files.url));
		const part = { filename: 'still.svg', contentType: 'image/svg+xml', bytes: files.content };
		expect(sentParts()).toMatchObject([[part]]);
		expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
	});

	it.each([
		['a page', () => (files.headers = { 'Content-Type': 'text/html' }), 'is not an image but text/html'],
		['nothing', () => (files.content = Buffer.alloc(0)), 'is empty (0 bytes)'],
		[
			'an error status',
			() => (files.statuses = [403]),
			`${failed}: its server returned status 403. Check the URL`,
		],
		['a body that ends early', () => (files.breaksOffAfter = [100]), `${failed} (aborted). Try again later.`],
		[
			'more than 50 MiB of unknown length, and not until its end',
			() => {
				Object.assign(files, { content: Buffer.alloc(52 * 2 ** 20), lengths: false });
				files.beforeBytes = async (offset) =>
					await new Promise((resolve) => offset < 51 * 2 ** 20 && resolve());
			},
			'is larger than 50 MiB',
		],
		['a length of more than 50 MiB, unread', () => stall(26 * 2 ** 20, 'image/png'), 'is larger than 50 MiB'],
		['a film, unread', () => stall(300, 'video/mp4'), 'is not an image but video/mp4'],
	])('rejects %s before anything is sent to the service', async (_what, prepare, message) => {
		prepare();
		const [output] = await run(fromUrl(files.url), { onError: 'continueRegularOutput' });
		expect(output?.error).toContain(message);
		expect(output?.error).toMatch(/^The file "keynote 2026.mp4" at 127\.0\.0\.1/);
		expect(JSON.stringify(output)).not.toContain('very-secret');
		expect(service.requests).toEqual([]);
	});
});
