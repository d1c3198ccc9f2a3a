import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { itemWithFileInMemory } from '../execution/executeNode';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, failureOf, onlyUpload, upload } from '../upload/uploading';
import { itemReadBy } from './binaryModes';

serviceForEachTest();

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
		const item = await itemReadBy(1_000, open);
		const { description } = await failureOf(upload(service, { item }));
		expect(description).toBe('Try again later.');
	});
});
