import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { itemReadBy } from '../sources/binaryModes';
import { startTusServer, type TusServer } from './tusServer';
import { upload } from './uploading';

const CREDENTIAL = {
	email: 'me@example.com',
	password: 'secret',
	applicationId: 'an-application',
	planId: '',
};

let tus: TusServer;
beforeAll(async () => {
	tus = await startTusServer();
});
afterAll(async () => {
	await tus.close();
});

// The server rejects a PATCH at any other offset than its own (TUS 1.0.0, PATCH).
it.each([0, 0.5])(
	'sends a file to @tus/server through two cuts, with requests of %d MB',
	async (megabytes) => {
		const bytes = randomBytes(3_000_000);
		const cuts = [700_000, 1_500_000];
		const open = () => Readable.from(breakingOff(bytes, cuts.shift()), { objectMode: false });
		const item = await itemReadBy(bytes.length, open);
		const service = { credential: { ...CREDENTIAL, baseUrl: tus.baseUrl } };
		const { output } = await upload(service, { item, options: { maxRequestMegabytes: megabytes } });
		expect(output).toMatchObject({ complete: true, offset: bytes.length, resumes: 2 });
		expect(tus.stored(output.uploadId as string).equals(bytes)).toBe(true);
	},
);

function* breakingOff(bytes: Buffer, after = Infinity): Generator<Buffer> {
	for (let start = 0; start < bytes.length; start += 10_000) {
		if (start >= after) throw new Error('read failed');
		yield bytes.subarray(start, start + 10_000);
	}
}
