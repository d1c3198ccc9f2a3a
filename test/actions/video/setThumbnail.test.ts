import { createHash, randomBytes } from 'node:crypto';

import { executeForJson, executeNode, itemWithFile, itemWithFileInMemory } from '../../execution/executeNode';
import { by } from '../../execution/locator';
import { startService, type RunningService } from '../../service';

let service: RunningService;

beforeEach(async () => {
	service = await startService();
	service.seedVideos([{ hash: 'video-1' }]);
});
afterEach(async () => {
	await service.close();
});

const parameters = { resource: 'video', operation: 'setThumbnail', planId: '', video: by('hash', 'video-1') };
const image = randomBytes(300_000);
const png = { fileName: 'still.png', mimeType: 'image/png' };

describe('Video → Set Thumbnail', () => {
	it('sends the image as the one multipart field file, with its name, type and bytes', async () => {
		const output = await executeForJson({ service, parameters, items: [await itemWithFile(image, png)] });

		const [sent] = service.requestsOf('videoThumbnail');
		expect(sent).toMatchObject({
			method: 'PUT',
			path: '/v1/videos/uploadThumb/video-1/plan-1001',
			query: {},
			status: 200,
		});
		expect(sent?.headers.accept).toBe('application/json');
		expect(sent?.headers['content-type']).toMatch(/^multipart\/form-data; ?boundary=/);
		expect(sent?.form).toHaveLength(1);
		expect(sent?.form?.[0]).toMatchObject({ field: 'file', filename: 'still.png', contentType: 'image/png' });
		expect(sent?.form?.[0]?.bytes.equals(image)).toBe(true);
		expect(output).toMatchObject([{ hash: 'video-1' }]);
	});

	it.each(['naïve «кадр» 画.png', 'a"b;c.png', 'two\r\nlines.png'])(
		'keeps the name %j inside its part',
		async (fileName) => {
			await executeNode({ service, parameters, items: [await itemWithFile(image, { ...png, fileName })] });
			const [part, ...others] = service.requestsOf('videoThumbnail')[0]?.form ?? [];
			expect(others).toEqual([]);
			// Browsers and busboy write quotes and line breaks as HTML 5 (form-data encoding) does.
			expect(decodeURIComponent(part?.filename ?? '').replace(/\r\n/g, '\n')).toBe(
				fileName.replace(/\r\n/g, '\n'),
			);
			expect(part?.bytes.equals(image)).toBe(true);
		},
	);

	it('takes an image that n8n holds in memory, from the field that is named', async () => {
		const item = itemWithFileInMemory(image, { ...png, field: 'poster' });
		await executeNode({
			service,
			parameters: { ...parameters, binaryPropertyName: 'poster' },
			items: [item],
		});
		expect(service.state.videos[0]?.thumbnail).toMatchObject({
			filename: 'still.png',
			sha256: createHash('sha256').update(image).digest('hex'),
		});
	});

	it('gives an image without a file name one', async () => {
		await executeNode({ service, parameters, items: [await itemWithFile(image, { mimeType: 'image/png' })] });
		expect(service.state.videos[0]?.thumbnail).toMatchObject({ filename: 'thumbnail' });
	});

	it.each([401, 403] as const)('is sent again, whole, with a new token after %i', async (status) => {
		service.settings.expiredTokenStatus = status;
		service.injectFault({ on: 'videoThumbnail', kind: 'expireToken' });
		await executeNode({ service, parameters, items: [await itemWithFile(image, png)] });
		expect(service.requests.map((request) => [request.operation, request.status])).toEqual([
			['authenticate', 200],
			['videoThumbnail', status],
			['authenticate', 200],
			['videoThumbnail', 200],
		]);
		expect(service.requestsOf('videoThumbnail')[1]?.form?.[0]?.bytes.equals(image)).toBe(true);
	});

	it.each([
		[
			'a file that is no image',
			{ mimeType: 'text/plain', fileName: 'a.txt' },
			image,
			'The file in "data" is not an image but text/plain',
		],
		['an empty image', png, Buffer.alloc(0), 'The image in "data" is empty'],
	])('refuses %s before anything is sent', async (_what, file, bytes, message) => {
		await expect(
			executeNode({ service, parameters, items: [await itemWithFile(bytes, file)] }),
		).rejects.toThrow(message);
		expect(service.requests).toEqual([]);
	});

	it('says which field holds no file', async () => {
		await expect(executeNode({ service, parameters })).rejects.toThrow(/'data'/);
		expect(service.requests).toEqual([]);
	});
});
