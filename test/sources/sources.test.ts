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

	const failing = (reason: string) => () =>
		new Readable({ read: () => void 0, construct: (fail) => fail(new Error(reason)) });
	const missing = () => {
		throw new Error('File not found');
	};
	it.each<[string, () => Readable, RegExp, RegExp, number]>([
		['cannot be read', failing('SlowDown'), /could not be read \(SlowDown\)/, /^Try again later\.$/, 3],
		['is gone when it is read', failing('ENOENT'), /^n8n no longer has the file/, /keep that one/, 1],
		['is gone when it is opened', missing, /^n8n no longer has the file/, /keep that one/, 1],
	])('that %s is an error with advice, after as many tries as may help', async (_what, open, ...expected) => {
		const [message, description, tries] = expected;
		const opening = jest.fn(open);
		const failure = await failureOf(upload(service, { item: await itemReadBy(1_000, opening) }));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
		expect(opening).toHaveBeenCalledTimes(tries);
	});
});
