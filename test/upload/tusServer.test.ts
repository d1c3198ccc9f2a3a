import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { fc } from '../execution/generated';
import { itemReadBy } from '../sources/binaryModes';
import { startTusServer, type TusServer } from './tusServer';
import { shortenPauses, upload, type UploadRun, type UploadRunResult } from './uploading';

shortenPauses();

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

async function uploadAndCheck(bytes: Buffer, run: UploadRun): Promise<UploadRunResult> {
	const service = { credential: { ...CREDENTIAL, baseUrl: tus.baseUrl } };
	const result = await upload(service, { ...run, workflowId: String(Math.random()) });
	expect(result.output).toMatchObject({ complete: true, offset: bytes.length });
	expect(tus.stored(result.output.uploadId as string).equals(bytes)).toBe(true);
	return result;
}

it('uploads a file to @tus/server', async () => {
	const bytes = randomBytes(5_000_000);
	const { output } = await uploadAndCheck(bytes, { bytes });
	expect(output).toMatchObject({ resumes: 0, bytesSent: bytes.length });
});

// The server rejects a PATCH at any other offset (TUS 1.0.0, PATCH).
it('resumes at the offset of the server, wherever a PATCH breaks off', async () => {
	const cuts = fc.array(fc.integer({ min: 700, max: 1_500_000 }), { minLength: 1, maxLength: 6 });
	const sizes = fc.integer({ min: 1, max: 3_000_000 });
	let resumes = 0;
	await fc.assert(
		fc.asyncProperty(sizes, cuts, fc.constantFrom(0, 0.5), async (size, given, maxRequestMegabytes) => {
			const bytes = randomBytes(size);
			const breaksOffAfter = [...given];
			const open = () => Readable.from(breakingOff(bytes, breaksOffAfter.shift()), { objectMode: false });
			const item = await itemReadBy('breaking', { size, fileName: 'keynote.mp4', open });
			const { output } = await uploadAndCheck(bytes, { item, options: { maxRequestMegabytes } });
			resumes += Number(output.resumes);
		}),
		{ numRuns: 25 },
	);
	expect(resumes).toBeGreaterThan(0);
});

function* breakingOff(bytes: Buffer, after = Infinity): Generator<Buffer> {
	for (let start = 0; start < bytes.length; start += 10_000) {
		if (start >= after) throw new Error('read failed');
		yield bytes.subarray(start, start + 10_000);
	}
}
