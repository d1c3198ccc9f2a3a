import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';

import { itemReadBy } from '../sources/binaryModes';
import { upload } from './uploading';

const program = path.join(__dirname, 'tusServer.ts');
let directory: string;
let baseUrl: string;
let stop: () => Promise<void>;
beforeAll(async () => {
	directory = mkdtempSync(path.join(tmpdir(), 'video-hosting-tus-'));
	const server = spawn(process.execPath, ['--import', 'tsx', program, directory], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	stop = async () => {
		server.stdin.end();
		await once(server, 'exit');
	};
	const [port] = await once(server.stdout, 'data');
	baseUrl = `http://127.0.0.1:${Number(port)}`;
});
afterAll(async () => {
	await stop();
	rmSync(directory, { recursive: true });
});

// The server rejects a PATCH at any other offset than its own (TUS 1.0.0, PATCH).
it.each([0, 0.5])('Upload sends a file to @tus/server despite cuts: %d MB', async (maxRequestMegabytes) => {
	const bytes = randomBytes(3_000_000);
	const cuts = [700_000, 1_500_000];
	const open = () => Readable.from(breakingOff(bytes, cuts.shift()), { objectMode: false });
	const item = await itemReadBy(bytes.length, open);
	const applicationId = randomUUID();
	const account = { email: 'me@example.com', password: 'secret', applicationId, planId: '' };
	const service = { credential: { ...account, baseUrl } };
	const { output } = await upload(service, { item, options: { maxRequestMegabytes } });
	expect(output).toMatchObject({ complete: true, offset: bytes.length, resumes: 2 });
	expect(readFileSync(path.join(directory, output.uploadId as string)).equals(bytes)).toBe(true);
});

function* breakingOff(bytes: Buffer, after = Infinity): Generator<Buffer> {
	for (let start = 0; start < bytes.length; start += 10_000) {
		if (start >= after) throw new Error('read failed');
		yield bytes.subarray(start, start + 10_000);
	}
}
