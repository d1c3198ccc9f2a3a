import { Readable } from 'node:stream';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { failureOf, upload } from '../upload/uploading';
import { itemReadBy } from './binaryModes';

serviceForEachTest();

const failing = (reason: string) => () =>
	new Readable({ read: () => void 0, construct: (fail) => fail(new Error(reason)) });
const missing = () => {
	throw new Error('File not found');
};
it.each<[string, () => Readable, RegExp, RegExp, number]>([
	['cannot be read', failing('SlowDown'), /could not be read \(SlowDown\)/, /^Try again later\.$/, 3],
	['is gone when it is read', failing('ENOENT'), /^n8n no longer has the file/, /keep that one/, 1],
	['is gone when it is opened', missing, /^n8n no longer has the file/, /keep that one/, 1],
])(
	'Binary data that %s is an error with advice, after as many tries as may help',
	async (_what, open, ...expected) => {
		const [message, description, tries] = expected;
		const opening = jest.fn(open);
		const failure = await failureOf(upload(service, { item: await itemReadBy(1_000, opening) }));
		expect(failure.message).toMatch(message);
		expect(failure.description).toMatch(description);
		expect(opening).toHaveBeenCalledTimes(tries);
	},
);
