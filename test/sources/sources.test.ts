import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { itemWithFileInMemory } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { createUpload, signedIn } from '../fakeService/axiosClient';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, shortenPauses, upload } from '../upload/uploading';
import { itemReadBy } from './binaryModes';

shortenPauses();

let service: RunningService;
serviceForEachTest((started) => (service = started));

const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

describe('Binary data', () => {
	it.each(['東京の夜 Müsli 🎬.mp4', 'two\r\nlines: injected\r\n\r\nbody.mp4'])(
		'may be called %j',
		async (fileName) => {
			const bytes = randomBytes(1_000);
			await upload(service, { item: itemWithFileInMemory(bytes, { ...file, fileName }) });
			expectArrived(service, bytes);
			expect(onlyUpload(service).filename).toBe(fileName);
		},
	);

	it('that cannot be read is an error that says to try again', async () => {
		const open = () => new Readable({ read: () => void 0, construct: (fail) => fail(new Error('SlowDown')) });
		const item = await itemReadBy('broken', { size: 1_000, fileName: 'keynote.mp4', open });
		const { description } = await failureOf(upload(service, { item }));
		expect(description).toBe('Try again later.');
	});

	it('may be larger than 4 GiB, and continues beyond them', async () => {
		service.settings.hashing = false;
		const offset = 2 ** 32 + 5;
		const size = offset + 10_000_000;
		const chunk = Buffer.alloc(4 * 1_048_576, 7);
		function* content(): Generator<Buffer> {
			for (let left = size; left > 0; left -= chunk.length)
				yield chunk.subarray(0, Math.min(left, chunk.length));
		}
		const open = () => Readable.from(content(), { objectMode: false });
		const item = await itemReadBy('large', { size, fileName: 'keynote.mp4', open });
		const uploadId = await createUpload(await signedIn(service), size, 'keynote.mp4');
		// As if an earlier execution had sent them: 4 GiB need not pass through this test.
		Object.assign(onlyUpload(service), { offset, bytesReceived: offset });
		await upload(service, { item, operation: 'resume', parameters: { uploadId } });
		expect(onlyUpload(service)).toMatchObject({ size, complete: true, bytesReceived: size });
	}, 60_000);
});
