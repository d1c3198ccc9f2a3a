import { randomBytes } from 'node:crypto';

import { RequestBody } from '../../nodes/VideoHosting/transfer/tus/requestBody';
import { RangeReader } from '../../nodes/VideoHosting/transfer/source/rangeReader';
import { itemWithFileInMemory } from '../execution/executeNode';
import { startService, type RunningService } from '../service';
import { startFileServer, type FileServer } from './fileServer';
import { expectArrived, shortenPauses, upload } from './uploading';

shortenPauses();

const MIB = 1024 * 1024;
const WINDOW = 4 * MIB;

type Transfer = (this: ArrayBuffer, bytes: number) => ArrayBuffer;

/** Buffers of Node's own, whose prototype is not that of Jest's global. Node 20 has no `transfer` (ES2024). */
const buffers = Object.getPrototypeOf(Buffer.alloc(MIB).buffer) as ArrayBuffer & { transfer?: Transfer };
const own = buffers.transfer;

/** Bytes of memory that were given back. */
let givenBack = 0;
let service: RunningService;
let fileServer: FileServer;

beforeEach(async () => {
	givenBack = 0;
	buffers.transfer = function () {
		givenBack += this.byteLength;
		return structuredClone(this, { transfer: [this] });
	};
	service = await startService();
	fileServer = await startFileServer(randomBytes(24 * MIB));
});

afterEach(async () => {
	buffers.transfer = own;
	if (!own) delete buffers.transfer;
	await service.close();
	await fileServer.close();
});

it('gives the memory of a file in filesystem mode back while it is sent', async () => {
	const bytes = randomBytes(24 * MIB);
	await upload(service, { bytes });
	expectArrived(service, bytes);
	expect(givenBack).toBeGreaterThan(bytes.length - 2 * WINDOW);
});

it('sends a file whose memory it gives back byte for byte, cut after cut', async () => {
	const bytes = randomBytes(40 * MIB);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 11 * MIB, times: 3 });
	const { output } = await upload(service, { bytes });
	expectArrived(service, bytes);
	expect(output.resumes).toBe(3);
	expect(givenBack).toBeGreaterThan(0);
});

it('gives the memory of a file from a URL back while it is sent', async () => {
	await upload(service, { item: { json: {} }, parameters: { source: 'url', url: fileServer.url } });
	expectArrived(service, fileServer.content);
	expect(givenBack).toBeGreaterThan(0);
});

it('leaves binary data in memory alone, which the workflow still has', async () => {
	const bytes = randomBytes(12 * MIB);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 9 * MIB });
	await upload(service, { item: itemWithFileInMemory(bytes, { fileName: 'a.mp4', mimeType: 'video/mp4' }) });
	expectArrived(service, bytes);
	expect(givenBack).toBe(0);
});

it('leaves all chunks to an HTTP client that takes them faster than any connection', async () => {
	const bytes = randomBytes(24 * MIB);
	const body = await requestBody(bytes);
	const taken: Uint8Array[] = [];
	for await (const chunk of body.stream()) taken.push(chunk);
	expect(Buffer.concat(taken).equals(bytes)).toBe(true);
	expect(givenBack).toBe(0);
});

it('gives back nothing of the last 4 MiB that the HTTP client took', async () => {
	const bytes = randomBytes(24 * MIB);
	const body = await requestBody(bytes);
	const taken: Uint8Array[] = [];
	for await (const chunk of body.stream()) {
		taken.push(chunk);
		// A client that waits for its connection after each chunk.
		await new Promise(setImmediate);
		const last = taken.slice(-WINDOW / MIB).map(({ length }) => length);
		expect(last).toEqual(last.map(() => MIB));
	}
	expect(givenBack).toBe(bytes.length - WINDOW);
});

/** A body whose source gives a new MiB at a time. */
async function requestBody(bytes: Buffer): Promise<RequestBody> {
	const reader = new RangeReader({
		size: bytes.length,
		isProvenUnchanged: true,
		disposableChunks: true,
		async *bytes(offset) {
			for (let start = offset; start < bytes.length; start += MIB) {
				yield await Promise.resolve(new Uint8Array(bytes.subarray(start, start + MIB)));
			}
		},
	});
	const { value } = await reader.slice(0, bytes.length);
	const body = new RequestBody(value, 'application/octet-stream', { onRead: () => {}, onTaken: () => {} });
	await body.readAhead();
	return body;
}
