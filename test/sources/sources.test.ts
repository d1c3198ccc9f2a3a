import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import { withIdleTimeout } from '../../nodes/VideoHosting/sources/idleTimeout';
import { itemWithFile, itemWithFileInMemory } from '../execution/executeNode';
import { fc } from '../execution/generated';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemReadBy } from './binaryModes';
import { expectArrived, onlyUpload, shortenPauses, upload } from '../upload/uploading';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

describe('binary data', () => {
	it('arrives in requests of the size that is set', async () => {
		const bytes = randomBytes(1_500_000);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 100_000, skip: 2 });
		await upload(service, { bytes, options: { maxRequestMegabytes: 0.25 } });
		expectArrived(service, bytes);
		const lengths = service.requestsOf('uploadPatch').map(({ headers }) => Number(headers['content-length']));
		expect(Math.max(...lengths)).toBe(262_144);
		expect(onlyUpload(service).patches.map(({ offset }) => offset)).toEqual([
			0, 262_144, 524_288, 624_288, 886_432, 1_148_576, 1_410_720,
		]);
	});

	it('is found at a path in the item, where the workflow keeps files in the JSON', async () => {
		const bytes = randomBytes(100_000);
		const { binary } = await itemWithFile(bytes, file);
		// With this setting n8n keeps a file's description in the JSON, which its types do not say.
		const video = JSON.parse(JSON.stringify(binary?.data)) as IDataObject;
		const item = { json: { attachments: [{ video }] } };
		await upload(service, {
			item,
			binaryMode: 'combined',
			parameters: { binaryPropertyName: 'attachments[0].video' },
		});
		expectArrived(service, bytes);
	});

	it.each([
		'Müsli.mp4',
		'東京の夜.mp4',
		'фильм.mp4',
		'🎬 final ✂️.mp4',
		'say "hi"; name=x.mp4',
		"it's.mp4",
		'two\r\nlines: injected\r\n\r\nbody.mp4',
		'a,b filename c.mp4',
		' ends with a space .mp4',
	])('may be called %j', async (fileName) => {
		const bytes = randomBytes(1_000);
		const item = itemWithFileInMemory(bytes, { ...file, fileName });
		await upload(service, { item, bytes });
		expectArrived(service, bytes);
		expect(onlyUpload(service).filename).toBe(fileName);
	});

	it('that ends early is opened again at the offset', async () => {
		const bytes = randomBytes(1_000_000);
		let opened = 0;
		const item = await itemReadBy('flaky', {
			size: bytes.length,
			fileName: 'keynote.mp4',
			open: () => {
				opened++;
				return Readable.from(breakingOff(bytes, opened < 4 ? opened * 250_000 : Infinity), {
					objectMode: false,
				});
			},
		});
		await upload(service, { bytes, item });
		expectArrived(service, bytes);
		expect(opened).toBe(4);
	});

	it('that hangs is opened again', async () => {
		const bytes = randomBytes(1_000_000);
		let opened = 0;
		const item = await itemReadBy('hanging', {
			size: bytes.length,
			fileName: 'keynote.mp4',
			open: () => {
				opened++;
				if (opened > 1) return Readable.from([bytes], { objectMode: false });
				const stream = new Readable({ read: () => {} });
				stream.push(bytes.subarray(0, 300_000));
				return stream;
			},
		});
		await upload(service, { bytes, item, options: { idleTimeoutSeconds: 0.3 } });
		expectArrived(service, bytes);
	});

	it('that is longer than its reported size never becomes a complete upload', async () => {
		const item = await itemReadBy('longer', {
			size: 900_000,
			fileName: 'keynote.mp4',
			open: () =>
				Readable.from([randomBytes(400_000), randomBytes(400_000), randomBytes(400_000)], {
					objectMode: false,
				}),
		});
		await expect(upload(service, { item })).rejects.toThrow(/is longer than its reported size/);
		expect(onlyUpload(service).complete).toBe(false);
	});

	it('is cut anywhere, read in chunks of any size and sent in requests of any size', async () => {
		await fc.assert(
			fc.asyncProperty(
				// A chunk may be a single byte, so a larger file would take minutes.
				fc.integer({ min: 1, max: 100_000 }),
				fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 5 }),
				fc.array(fc.integer({ min: 0, max: 100_000 }), { maxLength: 6 }),
				fc.option(fc.integer({ min: 7_000, max: 100_000 })),
				async (size, chunkSizes, cuts, cap) => {
					const bytes = randomBytes(size);
					service.state.uploads = [];
					for (const afterBytes of cuts)
						service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes });
					const item = await itemReadBy('generated', {
						size,
						fileName: 'keynote.mp4',
						open: () => Readable.from(chunksOf(bytes, chunkSizes), { objectMode: false }),
					});
					await upload(service, { bytes, item, options: { maxRequestMegabytes: (cap ?? 0) / 1_048_576 } });
					expectArrived(service, bytes);
					service.clearFaults();
				},
			),
			{ numRuns: 25 },
		);
	}, 180_000);

	it('may be larger than 4 GiB, and continues beyond them', async () => {
		service.settings.hashing = false;
		const chunk = Buffer.alloc(4 * 1_048_576, 7);
		const offset = 2 ** 32 + 5;
		const size = offset + 10_000_000;
		const item = await itemReadBy('large', {
			size,
			fileName: 'keynote.mp4',
			open: () => Readable.from(repeated(chunk, size), { objectMode: false }),
		});
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400 });
		await expect(upload(service, { item })).rejects.toThrow(`of ${size} bytes`);
		const created = onlyUpload(service);
		// As if an earlier execution had sent them: 4 GiB need not pass through this test.
		Object.assign(created, { offset, bytesReceived: offset, patches: [] });

		const { output } = await upload(service, {
			item,
			operation: 'resume',
			parameters: { uploadId: created.id },
		});
		expect(created).toMatchObject({ size, complete: true, bytesReceived: size });
		expect(created.patches.map((patch) => patch.offset)).toEqual([offset]);
		expect(output).toMatchObject({ size, offset: size, bytesSent: size - offset });
	}, 60_000);
});

it('a connection is not closed because the system clock was set', async () => {
	const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
	const close = jest.fn();
	const limits = { idleTimeoutMs: 400, cancelled: undefined };
	const working = withIdleTimeout({ close }, limits, async (onMoved) => {
		await sleep(240);
		onMoved();
		now.mockReturnValue(0);
		await sleep(240);
		expect(close).not.toHaveBeenCalled();
		await new Promise(() => {});
	});
	await expect(working).rejects.toThrow('was idle for 0.4 seconds');
	expect(close).toHaveBeenCalled();
	now.mockRestore();
});

function* breakingOff(bytes: Buffer, after: number): Generator<Buffer> {
	for (let start = 0; start < bytes.length; start += 10_000) {
		if (start >= after) throw new Error('read failed');
		yield bytes.subarray(start, start + 10_000);
	}
}

function* chunksOf(bytes: Buffer, sizes: number[]): Generator<Buffer> {
	for (let start = 0, index = 0; start < bytes.length; index++) {
		const size = sizes[index % sizes.length] ?? 1;
		yield bytes.subarray(start, start + size);
		start += size;
	}
}

function* repeated(chunk: Buffer, size: number): Generator<Buffer> {
	for (let left = size; left > 0; left -= chunk.length) yield chunk.subarray(0, Math.min(left, chunk.length));
}
