import { randomBytes } from 'node:crypto';

import fc from 'fast-check';

import { startBrokenLine, type BrokenLine } from './brokenLine';
import { startTusServer, type TusServer } from './tusServer';
import { shortenPauses, upload } from './uploading';

shortenPauses();

const CREDENTIAL = {
	email: 'me@example.com',
	password: 'secret',
	applicationId: 'an-application',
	planId: '',
};

let tus: TusServer;
let line: BrokenLine;
beforeAll(async () => {
	tus = await startTusServer();
	line = await startBrokenLine(tus.baseUrl);
});
afterAll(async () => {
	await line.close();
	await tus.close();
});
beforeEach(() => {
	line.exchanges.length = 0;
	line.cuts.length = 0;
});

async function uploadThroughLine(bytes: Buffer, maxRequestMegabytes = 0) {
	const service = { credential: { ...CREDENTIAL, baseUrl: line.baseUrl } };
	return await upload(service, {
		bytes,
		options: { maxRequestMegabytes },
		workflowId: String(Math.random()),
	});
}

/** The store has the file, and each PATCH began at the offset that the server had last reported. */
function expectStored(bytes: Buffer, uploadId: unknown): void {
	expect(tus.stored(String(uploadId)).equals(bytes)).toBe(true);
	let acknowledged = 0;
	for (const { request, response } of line.exchanges) {
		if (request.startsWith('PATCH')) expect(uploadOffset(request)).toBe(acknowledged);
		acknowledged = uploadOffset(response) ?? acknowledged;
	}
	expect(acknowledged).toBe(bytes.length);
}

function uploadOffset(head: string): number | undefined {
	const offset = /^upload-offset: (\d+)\r$/im.exec(head)?.[1];
	return offset === undefined ? undefined : Number(offset);
}

it('uploads a file with one create and one PATCH', async () => {
	const bytes = randomBytes(5_000_000);
	const { output } = await uploadThroughLine(bytes);
	expectStored(bytes, output.uploadId);
	expect(output).toMatchObject({ complete: true, offset: 5_000_000, resumes: 0 });
	const lines = line.exchanges.map(({ request, response }) => [
		request.split(' ', 1)[0],
		response.split(' ', 2)[1],
	]);
	expect(lines.slice(-2)).toEqual([
		['POST', '201'],
		['PATCH', '204'],
	]);
});

it('resumes at the offset of the server, wherever the line is cut', async () => {
	const cuts = fc.array(fc.integer({ min: 700, max: 1_500_000 }), { minLength: 1, maxLength: 6 });
	const sizes = fc.integer({ min: 1, max: 3_000_000 });
	await fc.assert(
		fc.asyncProperty(sizes, cuts, fc.constantFrom(0, 0.5), async (size, afterBytes, maxRequestMegabytes) => {
			line.exchanges.length = 0;
			line.cuts.splice(0, Infinity, ...afterBytes);
			const bytes = randomBytes(size);
			const { output } = await uploadThroughLine(bytes, maxRequestMegabytes);
			expectStored(bytes, output.uploadId);
		}),
		{ numRuns: 25 },
	);
});
