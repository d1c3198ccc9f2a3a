import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { Readable, Transform } from 'node:stream';

import fc from 'fast-check';

import { PART_BYTES } from '../../nodes/VideoHosting/sources/rangeReader';
import { bodyStream } from '../../nodes/VideoHosting/sources/chunkMemory';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemByMode } from '../sources/binaryModes';
import { startFileServer } from '../sources/fileServer';
import { watchMemory } from './givenBack';
import { startReceivingServer, type ReceivingServer } from './receivingServer';
import { expectArrived, sha256, shortenPauses, upload } from './uploading';

const MIB = 1024 * 1024;

shortenPauses();

const givenBack = watchMemory();

describe('an upload', () => {
	let service: RunningService;

	serviceForEachTest((started) => {
		service = started;
	});

	it('gives the memory of a file in filesystem mode back while it is sent', async () => {
		const bytes = randomBytes(24 * MIB);
		await upload(service, { bytes });
		expectArrived(service, bytes);
		expect(givenBack.bytes).toBeGreaterThan(bytes.length - 2 * MIB);
	});

	it('arrives byte for byte when the connection breaks again and again', async () => {
		const bytes = randomBytes(40 * MIB);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 11 * MIB, times: 3 });
		const { output } = await upload(service, { bytes });
		expectArrived(service, bytes);
		expect(output.resumes).toBe(3);
		// What was sent, and after each cut what was read again to get to the offset: 11, 22 and 33 MiB.
		expect(givenBack.bytes).toBeGreaterThan(bytes.length + 60 * MIB);
	});

	it('arrives byte for byte when a later run compares what was sent before', async () => {
		const bytes = randomBytes(24 * MIB);
		const staticData = {};
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 11 * MIB });
		await expect(upload(service, { bytes, staticData })).rejects.toThrow(/run this again to resume it/);
		givenBack.bytes = 0;
		const { output } = await upload(service, { bytes, staticData });
		expectArrived(service, bytes);
		expect(output.bytesSent).toBe(bytes.length - 11 * MIB);
		expect(givenBack.bytes).toBeGreaterThan(bytes.length - 2 * MIB);
	});

	it.each([1, 7, 64])(
		'arrives byte for byte in requests of %d MiB, which end within chunks',
		async (megabytes) => {
			const bytes = randomBytes(16 * MIB + 12_345);
			await upload(service, { bytes, options: { maxRequestMegabytes: megabytes + 0.1 } });
			expectArrived(service, bytes);
			expect(givenBack.bytes).toBeGreaterThan(0);
		},
	);

	it.each(['memory', 'database', 's3'] as const)(
		'leaves the memory of a file in %s mode to V8: others may refer to it',
		async (mode) => {
			const bytes = randomBytes(6 * MIB);
			await upload(service, { item: await itemByMode[mode](bytes) });
			expectArrived(service, bytes);
			expect(givenBack.bytes).toBe(0);
		},
	);

	it('leaves the memory of a file from a URL to V8: Node divides what it reads from a connection', async () => {
		const fileServer = await startFileServer(randomBytes(6 * MIB));
		await upload(service, { item: { json: {} }, parameters: { source: 'url', url: fileServer.url } });
		expectArrived(service, fileServer.content);
		expect(givenBack.bytes).toBe(0);
		await fileServer.close();
	});
});

/** A stream between the body and the request. */
interface Stage {
	readableHighWaterMark: number;
	writableHighWaterMark: number;
	/** Chunks that it keeps where nobody sees them. */
	hidden: number;
	/** Milliseconds that each chunk takes; undefined for none. */
	pauseMs: number | undefined;
}

const stages: fc.Arbitrary<Stage> = fc.record({
	readableHighWaterMark: fc.constantFrom(1, PART_BYTES, 4 * MIB),
	writableHighWaterMark: fc.constantFrom(1, PART_BYTES, 4 * MIB),
	hidden: fc.constantFrom(0, 0, 1, 20, 10_000),
	pauseMs: fc.constantFrom(undefined, undefined, 0, 1),
});

describe('between a body and a request', () => {
	let server: ReceivingServer;

	beforeAll(async () => {
		server = await startReceivingServer();
	});

	afterAll(async () => await server.close());

	it('any streams with any buffers, seen and unseen, pass all bytes on unchanged', async () => {
		const content = randomBytes(3 * MIB);
		let mostGivenBack = 0;
		await fc.assert(
			fc.asyncProperty(
				fc.array(stages, { maxLength: 3 }),
				fc.constantFrom(PART_BYTES, 4 * PART_BYTES, MIB),
				fc.constantFrom(undefined, 0, 1),
				async (chain, chunkBytes, pauseMs) => {
					server.pauseMs = pauseMs;
					givenBack.bytes = 0;
					const outgoing = request(server.url, { method: 'PATCH' });
					const response = once(outgoing, 'response');
					let last: Readable = bodyStream(partsOf(content, chunkBytes), Readable);
					for (const stage of chain) last = last.pipe(transformOf(stage));
					last.pipe(outgoing);
					const [incoming] = await response;
					incoming.resume();
					expect(server.received?.sha256).toBe(sha256(content));
					mostGivenBack = Math.max(mostGivenBack, givenBack.bytes);
				},
			),
			{ numRuns: 60 },
		);
		expect(mostGivenBack).toBeGreaterThan(content.length / 2);
	});
});

/** Chunks of their own memory, in parts of at most 64 KiB. */
async function* partsOf(content: Buffer, chunkBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
	for (let start = 0; start < content.length; start += chunkBytes) {
		const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, content.length - start));
		content.copy(chunk, 0, start);
		for (let at = 0; at < chunk.length; at += PART_BYTES) {
			yield await Promise.resolve(chunk.subarray(at, at + PART_BYTES));
		}
	}
}

function transformOf({ hidden, pauseMs, ...marks }: Stage): Transform {
	const kept: Buffer[] = [];
	return new Transform({
		...marks,
		transform(chunk: Buffer, _encoding, done) {
			const pass = () => {
				kept.push(chunk);
				done(null, kept.length > hidden ? kept.shift() : undefined);
			};
			if (pauseMs === undefined) pass();
			else setTimeout(pass, pauseMs);
		},
		flush(done) {
			for (const chunk of kept) this.push(chunk);
			done();
		},
	});
}
