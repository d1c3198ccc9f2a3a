import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import axios from 'axios';

import { bodyStream } from '../../nodes/VideoHosting/sources/chunkMemory';
import { PART_BYTES } from '../../nodes/VideoHosting/sources/fileReader';
import { fc } from '../execution/generated';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, upload } from '../upload/uploading';
import { itemReadBy } from './binaryModes';

type Transfer = (this: ArrayBuffer, bytes: number) => ArrayBuffer;

const MIB = 1024 * 1024;

serviceForEachTest();

/** Prototype of the memory of Node's Buffers, which is not that of Jest's global. Node 20 has no `transfer` (ES2024). */
const memory = Object.getPrototypeOf(Buffer.alloc(MIB).buffer) as ArrayBuffer & { transfer?: Transfer };
const own = Object.getOwnPropertyDescriptor(memory, 'transfer');
/** Bytes. */
let givenBack = 0;

// On any Node, memory is given back, and overwritten at that moment: bytes that are needed after all arrive wrong.
beforeEach(() => {
	givenBack = 0;
	memory.transfer = function () {
		givenBack += this.byteLength;
		new Uint8Array(this).fill(0xee);
		return structuredClone(this, { transfer: [this] });
	};
});
afterEach(() => {
	if (own) Object.defineProperty(memory, 'transfer', own);
	else delete memory.transfer;
});

/** A web server that accepts any body, and redirects `/redirect` with its body (307). */
let url: string;
let received: Buffer;
const server = createServer((incoming, response) => {
	void buffer(incoming).then((body) => {
		received = body;
		if (incoming.url === '/redirect') response.writeHead(307, { location: '/' });
		response.end();
	});
});
beforeAll(async () => {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
	url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(() => server.close());

/** Chunks of their own memory, in parts of at most 64 KiB. */
async function* partsOf(content: Buffer, chunkBytes: number): AsyncGenerator<Uint8Array, void, undefined> {
	for (let start = 0; start < content.length; start += chunkBytes) {
		const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, content.length - start));
		content.copy(chunk, 0, start);
		for (let at = 0; at < chunk.length; at += PART_BYTES)
			yield await Promise.resolve(chunk.subarray(at, at + PART_BYTES));
	}
}

/** A stream between the body and the request that keeps so many chunks where nobody sees them. */
function keeping(hidden: number, highWaterMark: number): Transform {
	const kept: Buffer[] = [];
	return new Transform({
		highWaterMark,
		transform(chunk: Buffer, _encoding, done) {
			kept.push(chunk);
			done(null, kept.length > hidden ? kept.shift() : undefined);
		},
		flush(done) {
			for (const chunk of kept) this.push(chunk);
			done();
		},
	});
}

it('the memory of a chunk is given back only once it has left Node, whatever streams are on the way', async () => {
	const content = randomBytes(3 * MIB);
	let most = 0;
	const stage = fc.tuple(fc.constantFrom(0, 0, 1, 20, 10_000), fc.constantFrom(1, PART_BYTES, 4 * MIB));
	await fc.assert(
		fc.asyncProperty(
			fc.array(stage, { maxLength: 3 }),
			fc.constantFrom(PART_BYTES, 4 * PART_BYTES, MIB),
			async (stages, chunkBytes) => {
				givenBack = 0;
				const outgoing = request(url, { method: 'PATCH' });
				const response = once(outgoing, 'response');
				let last: Readable = bodyStream(partsOf(content, chunkBytes), Readable);
				for (const [hidden, highWaterMark] of stages) last = last.pipe(keeping(hidden, highWaterMark));
				last.pipe(outgoing);
				(await response)[0].resume();
				expect(received.equals(content)).toBe(true);
				most = Math.max(most, givenBack);
			},
		),
		{ numRuns: 40 },
	);
	expect(most).toBeGreaterThan(content.length / 2);
});

it('nothing is given back to a client that may send the body again', async () => {
	const content = randomBytes(3 * MIB);
	await axios.patch(`${url}redirect`, bodyStream(partsOf(content, MIB), Readable));
	expect(received.equals(content)).toBe(true);
	expect(givenBack).toBe(0);
});

it('an upload gives memory back while the connection breaks again and again', async () => {
	const bytes = randomBytes(24 * MIB);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 5 * MIB, times: 3 });
	await upload(service, { bytes, options: { maxRequestMegabytes: 7.1 } });
	expectArrived(service, bytes);
	expect(givenBack).toBeGreaterThan(5 * MIB);
});

it('the memory of a file that n8n keeps in another mode is left to V8: others may refer to it', async () => {
	const bytes = randomBytes(2 * MIB);
	const open = () => Readable.from(partsOf(bytes, PART_BYTES), { objectMode: false });
	await upload(service, { item: await itemReadBy(bytes.length, open) });
	expectArrived(service, bytes);
	expect(givenBack).toBe(0);
});

describe('Of two chunks that were sent', () => {
	/** As much of Node's request as the count reads. */
	class ClientRequest {
		destroyed = false;
		writableLength = 0;
		socket: Record<'bytesWritten' | 'writableLength', number> | null = {
			bytesWritten: 5 * MIB,
			writableLength: 0,
		};
	}
	class OtherRequest extends ClientRequest {}
	const pretendStream = () => ({
		readableLength: 0,
		writableLength: 0,
		listenerCount: () => 1,
		pipe: (destination: object) => destination,
	});
	/** Streams in states that no client brings about on demand. */
	const pretend = () => ({
		chunkBytes: PART_BYTES,
		/** The part of each chunk that is sent. */
		part: [0, PART_BYTES],
		body: pretendStream(),
		stage: pretendStream(),
		request: new ClientRequest(),
	});
	type Change = (streams: ReturnType<typeof pretend>) => unknown;

	/** @returns how many chunks were given back when the third one was asked for */
	async function chunksGivenBack(before: Change, after: Change): Promise<number> {
		const streams = pretend();
		before(streams);
		const { body, chunkBytes, part, request, stage } = streams;
		const parts = [0, 1, 2].map(() => Buffer.allocUnsafeSlow(chunkBytes).subarray(...part));
		let reading: AsyncIterator<Uint8Array> | undefined;
		bodyStream(Readable.from(parts), {
			from: (chunks, options) => {
				expect(options).toEqual({ objectMode: false });
				reading = chunks[Symbol.asyncIterator]();
				// A pretend stream has the members that the count looks at, and no others of a Readable.
				return body as unknown as Readable;
			},
		});
		body.pipe(stage);
		stage.pipe(request);
		await reading?.next();
		await reading?.next();
		// With as much for the headers as a request never needs.
		if (request.socket) request.socket.bytesWritten += 3 * PART_BYTES;
		after(streams);
		await reading?.next();
		return givenBack / PART_BYTES;
	}

	it.each<[string, number, Change]>([
		['everything has left Node', 2, () => {}],
		['the body holds a byte', 1, ({ body }) => (body.readableLength = 1)],
		['a stream on the way has a byte to read', 1, ({ stage }) => (stage.readableLength = 1)],
		['a stream on the way has a byte to write', 1, ({ stage }) => (stage.writableLength = 1)],
		['the request holds a byte', 1, ({ request }) => (request.writableLength = 1)],
		['the socket holds a byte', 1, ({ request: { socket } }) => socket && (socket.writableLength = 1)],
		['the socket has sent a byte less', 1, ({ request: { socket } }) => socket && socket.bytesWritten--],
		['the request is destroyed', 0, ({ request }) => (request.destroyed = true)],
		['the request has no socket', 0, ({ request }) => (request.socket = null)],
		['the request has another socket', 0, ({ request }) => (request.socket = new ClientRequest().socket)],
		['somebody records what is written', 0, ({ request }) => Object.assign(request, { write: () => true })],
		['somebody else reads the body', 0, ({ body }) => (body.listenerCount = () => 2)],
		['somebody else reads on the way', 0, ({ stage }) => (stage.listenerCount = () => 2)],
		['a stream on the way has two destinations', 0, ({ stage }) => stage.pipe({})],
	])('when %s, so many are given back: %d', async (_when, chunks, after) => {
		expect(await chunksGivenBack(() => {}, after)).toBe(chunks);
	});

	it.each<[string, Change]>([
		['their destination is no request of Node', (streams) => (streams.request = new OtherRequest())],
		['a stream on the way hides bytes', ({ stage }) => Reflect.deleteProperty(stage, 'writableLength')],
		['Node may share their memory', (streams) => (streams.chunkBytes = PART_BYTES / 2)],
		['their first bytes went to another request', ({ part }) => (part[0] = 1)],
		['their last bytes are not sent yet', ({ part }) => (part[1] = -1)],
		['Node cannot give memory back', () => delete memory.transfer],
	])('when %s, none is given back', async (_when, before) => {
		expect(await chunksGivenBack(before, () => {})).toBe(0);
	});
});
