import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import { bodyStream } from '../../nodes/VideoHosting/sources/chunkMemory';
import { PART_BYTES } from '../../nodes/VideoHosting/sources/fileReader';
import { fc } from '../execution/generated';
import { listen } from '../fakeService/listen';
import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { expectArrived, upload } from '../upload/uploading';
import { itemReadBy, streamOf } from './binaryModes';

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
	let received: Buffer | undefined;
	const server = createServer((incoming, response) => {
		void buffer(incoming).then((body) => {
			received = body;
			response.end();
		});
	});
	const port = await listen(server);
	let most = 0;
	const stage = fc.tuple(fc.constantFrom(0, 0, 1, 20, 10_000), fc.constantFrom(1, PART_BYTES, 4 * MIB));
	await fc.assert(
		fc.asyncProperty(
			fc.array(stage, { maxLength: 3 }),
			fc.constantFrom(PART_BYTES, 4 * PART_BYTES, MIB),
			async (stages, chunkBytes) => {
				givenBack = 0;
				const outgoing = request({ port, method: 'PATCH' });
				const response = once(outgoing, 'response');
				let last: Readable = bodyStream(partsOf(content, chunkBytes), Readable);
				for (const [hidden, highWaterMark] of stages) last = last.pipe(keeping(hidden, highWaterMark));
				last.pipe(outgoing);
				(await response)[0].resume();
				expect(received?.equals(content)).toBe(true);
				most = Math.max(most, givenBack);
			},
		),
		{ numRuns: 40 },
	);
	expect(most).toBeGreaterThan(content.length / 2);
	server.close();
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
	const open = () => streamOf(partsOf(bytes, PART_BYTES));
	await upload(service, { item: await itemReadBy(bytes.length, open) });
	expectArrived(service, bytes);
	expect(givenBack).toBe(0);
});

describe('Of two chunks that were sent', () => {
	const socketOf = () => ({ bytesWritten: 5 * MIB, writableLength: 0 });
	/** As much of Node's request as the count reads. */
	class ClientRequest {
		destroyed = false;
		writableLength = 0;
		socket: ReturnType<typeof socketOf> | null = socketOf();
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

	const nothing: Change = () => {};
	it.each<[string, number, Change, Change?]>([
		['everything has left Node', 2, nothing],
		['the body holds a byte', 1, ({ body }) => (body.readableLength = 1)],
		['a stream on the way has a byte to read', 1, ({ stage }) => (stage.readableLength = 1)],
		['a stream on the way has a byte to write', 1, ({ stage }) => (stage.writableLength = 1)],
		['the request holds a byte', 1, ({ request }) => (request.writableLength = 1)],
		['the socket holds a byte', 1, ({ request: { socket } }) => socket && (socket.writableLength = 1)],
		['the socket has sent a byte less', 1, ({ request: { socket } }) => socket && socket.bytesWritten--],
		['the request is destroyed', 0, ({ request }) => (request.destroyed = true)],
		['the request has no socket', 0, ({ request }) => (request.socket = null)],
		['the request has another socket', 0, ({ request }) => (request.socket = socketOf())],
		['somebody records what is written', 0, ({ request }) => Object.assign(request, { write: () => true })],
		['somebody else reads the body', 0, ({ body }) => (body.listenerCount = () => 2)],
		['somebody else reads on the way', 0, ({ stage }) => (stage.listenerCount = () => 2)],
		['a stream on the way has two destinations', 0, ({ stage }) => stage.pipe({})],
		['they go to no request of Node', 0, nothing, (streams) => (streams.request = new OtherRequest())],
		['a stream hides bytes', 0, nothing, ({ stage }) => Reflect.deleteProperty(stage, 'writableLength')],
		['Node may share their memory', 0, nothing, (streams) => (streams.chunkBytes = PART_BYTES / 2)],
		['their first bytes went to another request', 0, nothing, ({ part }) => (part[0] = 1)],
		['their last bytes are not sent yet', 0, nothing, ({ part }) => (part[1] = -1)],
		['Node cannot give memory back', 0, nothing, () => delete memory.transfer],
	])('when %s, so many are given back: %d', async (_when, chunks, after, before = nothing) => {
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
		expect(givenBack / PART_BYTES).toBe(chunks);
	});
});
