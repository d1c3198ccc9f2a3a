import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request, type ClientRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import fc from 'fast-check';

import { binarySource } from '../../nodes/VideoHosting/transfer/source/binarySource';
import { PART_BYTES, RangeReader } from '../../nodes/VideoHosting/transfer/source/rangeReader';
import type { Source } from '../../nodes/VideoHosting/transfer/source/source';
import { RequestBody } from '../../nodes/VideoHosting/transfer/tus/requestBody';
import { executeContext, itemWithFile, itemWithFileInMemory } from '../execution/executeNode';
import { startService, type RunningService } from '../service';
import { itemInMode } from './binaryModes';

const MIB = 1024 * 1024;
const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

/** Sends a request body to an address; without Content-Length, so that a lost byte is missing and not awaited. */
type Client = (url: string, body: RequestBody) => Promise<void>;

const clients: Record<string, Client> = {
	"axios, which is n8n's HTTP client": async (url, body) => {
		await axios.patch(url, body, {
			maxRedirects: 0,
			maxBodyLength: Infinity,
			headers: { 'Content-Length': String(body.size) },
		});
	},
	'a client that accepts one chunk per turn of the event loop and sends them at the end': async (
		url,
		body,
	) => {
		const chunks: Uint8Array[] = [];
		for await (const chunk of body.stream()) {
			chunks.push(chunk);
			await new Promise(setImmediate);
		}
		const outgoing = request(url, { method: 'PATCH' });
		for (const chunk of chunks) outgoing.write(chunk);
		await responseTo(outgoing.end());
	},
	'a client that waits for the connection, then buffers without a limit': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		outgoing.flushHeaders();
		const [socket] = await once(outgoing, 'socket');
		await once(socket, 'connect');
		for await (const chunk of body.stream()) outgoing.write(chunk);
		await responseTo(outgoing.end());
	},
	'a client that passes everything through an unbounded Transform': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const unbounded = new Transform({
			readableHighWaterMark: Number.MAX_SAFE_INTEGER,
			writableHighWaterMark: Number.MAX_SAFE_INTEGER,
			transform: (chunk, _encoding, done) => done(null, chunk),
		});
		await Promise.all([responseTo(outgoing), pipeline(Readable.from(body.stream()), unbounded, outgoing)]);
	},
};

const sources = {
	filesystem: async (bytes: Buffer) => await itemWithFile(bytes, file),
	database: async (bytes: Buffer) => await itemInMode('database', bytes, file.fileName),
	memory: (bytes: Buffer) => Promise.resolve(itemWithFileInMemory(bytes, file)),
};

describe.each(Object.entries(clients))('%s', (_name, client) => {
	let service: RunningService;
	let server: Server;
	let received: { bytes: number; sha256: string };

	beforeEach(async () => {
		service = await startService();
		server = createServer((incoming, response) => {
			const hash = createHash('sha256');
			let bytes = 0;
			incoming.on('data', (chunk: Buffer) => {
				hash.update(chunk);
				bytes += chunk.length;
				// Slower than the source, so that a client without back-pressure has most of the file in memory.
				incoming.pause();
				setTimeout(() => incoming.resume(), 1);
			});
			incoming.once('end', () => {
				received = { bytes, sha256: hash.digest('hex') };
				response.end();
			});
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});

	afterEach(async () => {
		server.closeAllConnections();
		await new Promise((resolve) => server.close(resolve));
		await service.close();
	});

	it.each(Object.entries(sources))('sends a file in %s mode byte for byte', async (_mode, itemWith) => {
		const bytes = randomBytes(12 * MIB);
		const item = await itemWith(bytes);
		const { context } = await executeContext({ service, parameters: {}, items: [item] });
		if (!item.binary?.data) throw new Error('The item has no file');
		const source = await binarySource(context, item.binary.data);
		// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
		const { port } = server.address() as AddressInfo;
		await client(`http://127.0.0.1:${port}/`, await bodyOf(source));
		expect(received).toEqual({
			bytes: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
		});
	});
});

it('divides chunks of any size into parts of at most 64 KiB, each reported when the client accepts it', async () => {
	await fc.assert(
		fc.asyncProperty(
			fc.array(fc.integer({ min: 1, max: 5 * PART_BYTES }), { minLength: 1, maxLength: 6 }),
			async (sizes) => {
				const chunks = sizes.map((size) => randomBytes(size));
				const events: number[] = [];
				const body = await bodyOf(sourceOf(chunks), (bytes) => events.push(bytes));
				const parts: Uint8Array[] = [];
				for await (const part of body.stream()) {
					parts.push(part);
					expect(events).toEqual(parts.map(({ length }) => length));
				}
				expect(Buffer.concat(parts).equals(Buffer.concat(chunks))).toBe(true);
				expect(Math.max(...events)).toBeLessThanOrEqual(PART_BYTES);
			},
		),
	);
});

it('reads nothing from the source before the client pulls it', async () => {
	let reads = 0;
	const body = await bodyOf({
		...sourceOf([]),
		size: 3,
		async *bytes() {
			for (reads = 1; reads <= 3; reads++) yield await Promise.resolve(Buffer.from([reads]));
		},
	});
	const reader = body.stream().getReader();
	await new Promise(setImmediate);
	expect(reads).toBe(0);
	await reader.read();
	expect(reads).toBe(1);
	await reader.cancel();
});

/** The whole source as the body of one request. */
async function bodyOf(source: Source, onAccepted: (bytes: number) => void = () => {}): Promise<RequestBody> {
	const { value } = await new RangeReader(source).slice(0, source.size);
	return new RequestBody(value, 'application/octet-stream', { onRead: () => {}, onAccepted });
}

function sourceOf(chunks: Buffer[]): Source {
	return {
		size: chunks.reduce((total, { length }) => total + length, 0),
		isProvenUnchanged: true,
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
