import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type ClientRequest } from 'node:http';
import { PassThrough, Readable, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import axios from 'axios';
import fc from 'fast-check';

import type { StreamedBody } from '../../nodes/VideoHosting/transport/serviceRequest';
import { binarySource } from '../../nodes/VideoHosting/sources/binarySource';
import { PART_BYTES, RangeReader } from '../../nodes/VideoHosting/sources/rangeReader';
import type { Source } from '../../nodes/VideoHosting/sources/source';
import { RequestBody } from '../../nodes/VideoHosting/upload/tus/requestBody';
import { executeContext, itemWithFile, itemWithFileInMemory } from '../execution/executeNode';
import type { RunningService } from '../fakeService';
import { serviceForEachTest } from '../fakeService/serviceForEachTest';
import { itemInMode } from '../sources/binaryModes';
import { watchMemory } from './givenBack';
import { startReceivingServer, type ReceivingServer } from './receivingServer';
import { sha256 } from './uploading';

const MIB = 1024 * 1024;
const file = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

const PATIENT = { idleTimeoutMs: 60_000, cancelled: undefined };

const givenBack = watchMemory();

/** Sends a request body to an address; without Content-Length, so that a lost byte is missing and not awaited. */
type Client = (url: string, body: StreamedBody, size: number) => Promise<void>;

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
		const outgoing = request(url, { method: 'PATCH' });
		readableOf(body).pipe(outgoing);
		await responseTo(outgoing);
	},
};

/** A client that can be asked, and holds whatever it gets. */
const boundlessClients: Record<string, Client> = {
	'a client that passes everything through an unbounded Transform': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const unbounded = new Transform({
			readableHighWaterMark: Number.MAX_SAFE_INTEGER,
			writableHighWaterMark: Number.MAX_SAFE_INTEGER,
			transform: (chunk, _encoding, done) => done(null, chunk),
		});
		await Promise.all([responseTo(outgoing), pipeline(readableOf(body), unbounded, outgoing)]);
	},
};

/** Clients that may hold any number of chunks for any time, where nobody sees it. */
const opaqueClients: Record<string, Client> = {
	'axios with redirects, which keeps the body to send it again': async (url, body, size) => {
		await axios.patch(`${url}redirect`, body, { headers: { 'Content-Length': String(size) } });
	},
	"Node's fetch": async (url, body) => {
		// Node's type of a request leaves out what undici documents: a stream of Node, and that its response may come early.
		const options = { method: 'PATCH', body: body instanceof Blob ? body.stream() : body, duplex: 'half' };
		const response = await fetch(url, options as RequestInit);
		expect(response.status).toBe(200);
	},
	'a client that accepts one chunk per turn of the event loop and sends them at the end': async (
		url,
		body,
	) => {
		const chunks: Uint8Array[] = [];
		for await (const chunk of chunksOf(body)) {
			chunks.push(chunk);
			await new Promise(setImmediate);
		}
		const outgoing = request(url, { method: 'PATCH' });
		for (const chunk of chunks) outgoing.write(chunk);
		await responseTo(outgoing.end());
	},
	'a client that waits for the connection, then buffers without a limit': async (url, body) => {
		const outgoing = await connectedRequest(url);
		for await (const chunk of chunksOf(body)) outgoing.write(chunk);
		await responseTo(outgoing.end());
	},
	'a client that waits for the connection, then is piped to and never exerts back-pressure': async (
		url,
		body,
	) => {
		const outgoing = await connectedRequest(url);
		const collector = new Writable({
			write(chunk, _encoding, done) {
				outgoing.write(chunk);
				done();
			},
			final(done) {
				outgoing.end();
				done();
			},
		});
		readableOf(body).pipe(collector);
		await responseTo(outgoing);
	},
	'a client whose Transform keeps all chunks until the body has ended': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const kept: Buffer[] = [];
		const keeping = new Transform({
			transform: (chunk: Buffer, _encoding, done) => {
				kept.push(chunk);
				done();
			},
			flush(done) {
				for (const chunk of kept) this.push(chunk);
				done();
			},
		});
		readableOf(body).pipe(keeping).pipe(outgoing);
		await responseTo(outgoing);
	},
	'a client whose first stream is piped to the request and to another stream': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const first = readableOf(body).pipe(new PassThrough());
		const copy = new PassThrough({ highWaterMark: Number.MAX_SAFE_INTEGER });
		first.pipe(outgoing);
		first.pipe(copy);
		await responseTo(outgoing);
		await requestWith(url, copy);
	},
	'a client that listens to the body as well, and sends what it heard a second time': async (url, body) => {
		const outgoing = request(url, { method: 'PATCH' });
		const readable = readableOf(body);
		const heard: Buffer[] = [];
		readable.on('data', (chunk: Buffer) => heard.push(chunk));
		readable.pipe(outgoing);
		await responseTo(outgoing);
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
		readableOf(body).pipe(outgoing);
		await responseTo(outgoing);
		await requestWith(url, Readable.from(recorded));
	},
};

/** n8n's own stream, or one made of n8n's Blob. */
function readableOf(body: StreamedBody): Readable {
	return body instanceof Blob ? Readable.from(body.stream()) : body;
}

function chunksOf(body: StreamedBody): AsyncIterable<Uint8Array> {
	return body instanceof Blob ? body.stream() : body;
}

async function connectedRequest(url: string): Promise<ClientRequest> {
	const outgoing = request(url, { method: 'PATCH' });
	outgoing.flushHeaders();
	const [socket] = await once(outgoing, 'socket');
	await once(socket, 'connect');
	return outgoing;
}

async function requestWith(url: string, body: Readable): Promise<void> {
	const outgoing = request(url, { method: 'PATCH' });
	body.pipe(outgoing);
	await responseTo(outgoing);
}

const sources = {
	filesystem: async (bytes: Buffer) => await itemWithFile(bytes, file),
	database: async (bytes: Buffer) => await itemInMode('database', bytes, file.fileName),
	memory: (bytes: Buffer) => Promise.resolve(itemWithFileInMemory(bytes, file)),
};

const clients = { ...transparentClients, ...boundlessClients, ...opaqueClients };

let service: RunningService;

serviceForEachTest((started) => {
	service = started;
});

describe.each(Object.entries(clients))('%s', (name, client) => {
	let server: ReceivingServer;

	beforeEach(async () => {
		server = await startReceivingServer();
		// Slower than the source, so that a client without back-pressure has most of the file in memory.
		server.pauseMs = 1;
	});

	afterEach(async () => await server.close());

	it.each(Object.entries(sources))('sends a file in %s mode byte for byte', async (mode, itemWith) => {
		const bytes = randomBytes(6 * MIB);
		const item = await itemWith(bytes);
		const { context } = await executeContext({ service, parameters: {}, items: [item] });
		if (!item.binary?.data) throw new Error('The item has no file');
		const source = await binarySource(context, item.binary.data);
		const body = await bodyOf(source);
		await client(server.url, body.forClient('application/octet-stream'), bytes.length);
		expect(server.received).toEqual({ bytes: bytes.length, sha256: sha256(bytes) });
		const isGivenBack = mode === 'filesystem' && !(name in opaqueClients);
		if (!isGivenBack) expect(givenBack.bytes).toBe(0);
		else if (name in transparentClients) expect(givenBack.bytes).toBeGreaterThan(bytes.length - 2 * MIB);
	});
});

it('is not sent a second time, not even in part', async () => {
	const item = await itemWithFile(randomBytes(3 * MIB), file);
	const { context } = await executeContext({ service, parameters: {}, items: [item] });
	if (!item.binary?.data) throw new Error('The item has no file');
	const reader = new RangeReader(await binarySource(context, item.binary.data), PATIENT);
	const { value } = await reader.slice(0, reader.size);
	await value.open();
	const body = new RequestBody(value, () => {});
	const stream = readableOf(body.forClient('video/mp4'));
	const first = stream.pipe(new PassThrough());
	await once(first, 'data');
	const second = new PassThrough();
	const heard: Buffer[] = [];
	second.on('data', (chunk: Buffer) => heard.push(chunk));
	stream.pipe(second);
	const [error] = await once(second, 'error');
	expect(error).toBe(body.failure);
	expect(body.failure?.message).toBe('The access token expired while the file was being sent');
	expect(heard).toEqual([]);
	stream.destroy();
	reader.close();
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
				for await (const part of chunksOf(body.forClient('video/mp4'))) {
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
	const source: Source = {
		...sourceOf([]),
		size: 3,
		async *bytes() {
			for (reads = 1; reads <= 3; reads++) yield await Promise.resolve(Buffer.from([reads]));
		},
	};
	const { value } = await new RangeReader(source, PATIENT).slice(0, source.size);
	const chunks = chunksOf(new RequestBody(value, () => {}).forClient('video/mp4'))[Symbol.asyncIterator]();
	await new Promise(setImmediate);
	expect(reads).toBe(0);
	await chunks.next();
	expect(reads).toBe(1);
	await chunks.return?.();
});

/** The whole source as the body of one request. */
async function bodyOf(source: Source, onAccepted: (bytes: number) => void = () => {}): Promise<RequestBody> {
	const { value } = await new RangeReader(source, PATIENT).slice(0, source.size);
	await value.open();
	return new RequestBody(value, onAccepted);
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
