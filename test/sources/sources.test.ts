import { Readable } from 'node:stream';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, upload } from '../upload/uploading';
import { itemReadBy, streamOf } from './binaryModes';

serviceForEachTest();

const failing = (reason: string) => () =>
	new Readable({ read: () => void 0, construct: (fail) => fail(new Error(reason)) });
const missing = () => {
	throw new Error('File not found');
};
const ofSize =
	(...chunks: number[]) =>
	() =>
		streamOf(chunks.map((bytes) => Buffer.alloc(bytes)));
const GONE = /^n8n no longer has the file/;
const WRONG_SIZE = /^n8n's stored binary file is not of its reported size/;
const RESUME = /^Run this again to resume it, or use Upload → Resume/;

it.each<[string, () => Readable, RegExp, RegExp, number]>([
	['cannot be read', failing('SlowDown'), /could not be read \(SlowDown\)/, /^Try again later\.$/, 3],
	['is gone when it is read', failing('ENOENT'), GONE, /keep that one/, 1],
	['is gone when it is opened', missing, GONE, /keep that one/, 1],
	['is a byte shorter than its size', ofSize(60_000, 39_999), WRONG_SIZE, RESUME, 1],
	['is a byte longer than its size', ofSize(60_000, 20_000, 20_001), WRONG_SIZE, RESUME, 1],
	['has more bytes than its size', ofSize(60_000, 40_000, 5), WRONG_SIZE, RESUME, 1],
])(
	'Binary data that %s is an error with advice, in tries that may help',
	async (_what, open, ...expected) => {
		const [message, description, tries] = expected;
		const opening = jest.fn(open);
		const failure = await failureOf(upload(service, { item: await itemReadBy(100_000, opening) }));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
		expect(opening).toHaveBeenCalledTimes(tries);
		expect(service.state.videos).toEqual([]);
	},
);
