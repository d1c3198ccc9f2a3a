import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { PassThrough, Readable, Transform } from 'node:stream';

import axios from 'axios';

import type { StreamedBody } from '../../nodes/VideoHosting/transport/serviceRequest';
import { binarySource } from '../../nodes/VideoHosting/sources/binarySource';
import { FileReader, PART_BYTES } from '../../nodes/VideoHosting/sources/fileReader';
import type { Source } from '../../nodes/VideoHosting/sources/source';
import { bodyStream } from '../../nodes/VideoHosting/sources/chunkMemory';
import { sendRange } from '../../nodes/VideoHosting/upload/tus/requestBody';
import { executeContext, itemWithFile } from '../execution/executeNode';
import { fc } from '../execution/generated';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemByMode } from '../sources/binaryModes';
import { startFileServer } from '../sources/fileServer';
import { watchMemory } from './givenBack';
import { startReceivingServer, type ReceivingServer } from './receivingServer';
import { expectArrived, sha256, shortenPauses, upload } from './uploading';

const MIB = 1024 * 1024;
const PATIENT = { idleTimeoutMs: 60_000, cancelled: undefined };

shortenPauses();
const givenBack = watchMemory();

/** Sends a request body to an address; without Content-Length, so that a lost byte is missing and not awaited. */
type Client = (url: string, body: Readable, size: number) => Promise<void>;

/** Clients that connect the body to Node's own request by Node's own streams: they can be asked what they hold. */
const transparentClients: Record<string, Client> = {
	"axios, which is n8n's HTTP client": async (url, body, size) => {
		await axios.patch(url, body, {
			maxRedirects: 0,
			maxBodyLength: Infinity,
			headers: { 'Content-Length': String(size) },
		});
	},
	'a client that pipes the body to the request': async (url, body) => {
		await requestWith(url, body);
	},
};

/** Clients that may hold any number of chunks for any time, where nobody sees it. */
const opaqueClients: Record<string, Client> = {
	'axios with redirects, which keeps the body to send it again': async (url, body, size) => {
		await axios.patch(`${url}redirect`, body, { headers: { 'Content-Length': String(size) } });
	},
	"Node's fetch": async (url, body) => {
		// Node's type of a request leaves out what undici documents: a stream of Node, and that its response may come early.
		const options = { method: 'PATCH', body, duplex: 'half' };
		const response = await fetch(url, options as object);
		expect(response.status).toBe(200);
	},
	'a client whose first stream is piped to the request and to another stream': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const first = body.pipe(new PassThrough());
		const copy = new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER });
		first.pipe(outgoing);
		first.pipe(copy);
		await responseTo(outgoing);
		await requestWith(url, copy);
	},
	'a client that listens to the body as well, and sends what it heard a second time': async (url, body) => {
		const heard: Buffer[] = [];
		body.on('data', (chunk: Buffer) => heard.push(chunk));
		await requestWith(url, body);
		await requestWith(url, Readable.from(heard));
	},
	'a client with a request that records what is written, and sends it a second time': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const recorded: Buffer[] = [];
		const write = outgoing.write.bind(outgoing) as (chunk: Buffer) => boolean;
		outgoing.write = (chunk: Buffer) => {
			recorded.push(chunk);
			return write(chunk);
		};
		body.pipe(outgoing);
		await responseTo(outgoing);
		await requestWith(url, Readable.from(recorded));
	},
};

/** Sends a whole source as the body of one request, as the given client does. */
async function send(
	source: Source,
	client: (body: StreamedBody) => Promise<void>,
	onAccepted: (bytes: number) => void = () => {},
): Promise<void> {
	const reader = new FileReader(source, PATIENT);
	await sendRange(reader, { start: 0, size: reader.size }, onAccepted, async (body) => {
		await client(body);
		return { statusCode: 200, headers: {}, body: '' };
	});
}

/** The body of a file in filesystem mode. */
function streamOf(body: StreamedBody): Readable {
	if (body instanceof Readable) return body;
	throw new Error('The body is no stream');
}

async function requestWith(url: string, body: Readable): Promise<void> {
	const outgoing = request(url, { method: 'PATCH' });
	body.pipe(outgoing);
	await responseTo(outgoing);
}

const clients = { ...transparentClients, ...opaqueClients };

let service: RunningService;
serviceForEachTest((started) => {
	service = started;
});
let server: ReceivingServer;
beforeAll(async () => {
	server = await startReceivingServer();
});
afterAll(async () => await server.close());

async function sourceOfFile(bytes: Buffer): Promise<Source> {
	const item = await itemWithFile(bytes, { fileName: 'keynote.mp4', mimeType: 'video/mp4' });
	const { context } = await executeContext({ service, parameters: {}, items: [item] });
	if (!item.binary?.data) throw new Error('The item has no file');
	return await binarySource(context, item.binary.data);
}

it.each(Object.entries(clients))('%s sends a file byte for byte', async (name, client) => {
	// Slower than the source, so that a client without back-pressure has most of the file in memory.
	server.pauseMs = 1;
	const bytes = randomBytes(6 * MIB);
	const source = await sourceOfFile(bytes);
	await send(source, async (body) => await client(server.url, streamOf(body), bytes.length));
	expect(server.received).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
	if (name in opaqueClients) expect(givenBack.bytes).toBe(0);
	else expect(givenBack.bytes).toBeGreaterThan(bytes.length - 2 * MIB);
});

it('a body divides chunks of any size into parts of at most 64 KiB, each reported when the client accepts it', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 1, max: 5 * PART_BYTES }), { minLength: 1, maxLength: 6 }),
			async (sizes) => {
				const chunks = sizes.map((size) => randomBytes(size));
				const events: number[] = [];
				const parts: Uint8Array[] = [];
				const read = async (body: StreamedBody) => {
					for await (const part of body instanceof Blob ? body.stream() : body) {
						parts.push(part as Uint8Array);
						expect(events).toEqual(parts.map(({ length }) => length));
					}
				};
				await send(sourceOf(chunks), read, (bytes) => events.push(bytes));
				expect(Buffer.concat(parts).equals(Buffer.concat(chunks))).toBe(true);
				expect(Math.max(...events)).toBeLessThanOrEqual(PART_BYTES);
			},
		),
	);
});

describe('an upload', () => {
	it('arrives byte for byte when the connection breaks again and again', async () => {
		const bytes = randomBytes(40 * MIB);
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 11 * MIB, times: 3 });
		const { output } = await upload(service, { bytes });
		expectArrived(service, bytes);
		expect(output.resumes).toBe(3);
		expect(givenBack.bytes).toBeGreaterThan(20 * MIB);
	});

	it('arrives byte for byte when a later run compares what was sent before', async () => {
		const bytes = randomBytes(24 * MIB);
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 11 * MIB });
		await expect(upload(service, { bytes })).rejects.toThrow(/Upload .* has 11534336 of/);
		const { output } = await upload(service, { bytes });
		expectArrived(service, bytes);
		expect(output.bytesSent).toBe(bytes.length - 11 * MIB);
	});

	it('arrives byte for byte in requests that end within chunks', async () => {
		const bytes = randomBytes(16 * MIB + 12_345);
		await upload(service, { bytes, options: { maxRequestMegabytes: 7.1 } });
		expectArrived(service, bytes);
		expect(givenBack.bytes).toBeGreaterThan(0);
	});

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
			{ numRuns: 40 },
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

function sourceOf(chunks: Buffer[]): Source {
	return {
		size: chunks.reduce((total, { length }) => total + length, 0),
		isImmutable: true,
		async *bytes() {
			for (const chunk of chunks) yield await Promise.resolve(chunk);
		},
	};
}

async function responseTo(outgoing: ClientRequest): Promise<void> {
	const [response] = await once(outgoing, 'response');
	response.resume();
	expect(response.statusCode).toBe(200);
}
