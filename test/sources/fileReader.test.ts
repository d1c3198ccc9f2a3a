import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';

import { binarySource } from '../../nodes/VideoHosting/sources/binarySource';
import { FileReader } from '../../nodes/VideoHosting/sources/fileReader';
import type { Source } from '../../nodes/VideoHosting/sources/source';
import { ContentMismatchError, TransferError } from '../../nodes/VideoHosting/sources/transferErrors';
import { urlSource } from '../../nodes/VideoHosting/sources/urlSource';
import { executeContext } from '../execution/executeNode';
import { itemReadBy } from './binaryModes';
import { startFileServer, type FileServer } from './fileServer';

const SIZE = 600_000;
/** Where the service is to continue, and how much had been read until then. */
const [OFFSET, SENT] = [200_000, 400_000];

let files: FileServer;
const readers: FileReader[] = [];
beforeEach(async () => {
	files = await startFileServer(randomBytes(SIZE));
});
afterEach(async () => {
	for (const reader of readers.splice(0)) reader.close();
	await files.close();
});

async function contextOfRun() {
	const credential = { baseUrl: '', email: '', password: '', applicationId: '', planId: '' };
	return (await executeContext({ service: { credential }, parameters: {} })).context;
}

async function storedSource({ binary }: Awaited<ReturnType<typeof itemReadBy>>): Promise<Source> {
	if (!binary?.data) throw new Error('The item has no file');
	return await binarySource(await contextOfRun(), binary.data);
}

async function webSource(served: Partial<FileServer>): Promise<Source> {
	Object.assign(files, served);
	return await urlSource(await contextOfRun(), files.url, 10_000);
}

function readerOf(source: Source, idleTimeoutMs = 10_000, cancelled?: AbortSignal): FileReader {
	const reader = new FileReader(source, { idleTimeoutMs, cancelled });
	readers.push(reader);
	return reader;
}

async function read(reader: FileReader, start: number, end: number): Promise<Buffer> {
	await reader.open(start);
	const parts: Uint8Array[] = [];
	for await (const part of reader.read(end)) parts.push(part);
	return Buffer.concat(parts);
}

/** Jest compares Buffers byte by byte, which takes seconds. */
function expectSame(bytes: Buffer, expected: Buffer): void {
	expect([bytes.length, bytes.equals(expected)]).toEqual([expected.length, true]);
}

describe('A file that changes after a part of it was sent', () => {
	const changed = (at: number) => {
		const content = Buffer.from(files.content);
		content[at] = (content[at] ?? 0) ^ 1;
		return content;
	};

	it.each([
		['before the offset', 0],
		['in what was sent after the offset', SENT - 1],
	])('is not read on where only its bytes show it: %s', async (_where, position) => {
		const reader = readerOf(await webSource({ etag: undefined }));
		await read(reader, 0, SENT);
		const { digest } = reader;
		reader.close();
		files.content = changed(position);
		await expect(read(reader, OFFSET, SIZE)).rejects.toThrow(ContentMismatchError);
		// What is known of the bytes that were sent stays known.
		expect(reader.digest).toEqual(digest);
	});

	it('is not read on when it changes between the comparison and the next request', async () => {
		const reader = readerOf(await webSource({ etag: undefined }));
		await read(reader, 0, SENT);
		reader.close();
		const [before, after, requests] = [files.content, changed(1), files.requests.length];
		const content = () => (files.requests.length > requests + 1 ? after : before);
		Object.defineProperty(files, 'content', { get: content });
		await expect(read(reader, OFFSET, SIZE)).rejects.toThrow(ContentMismatchError);
	});

	it('is read from byte 0 for a new upload, which has nothing of the earlier version', async () => {
		const reader = readerOf(await webSource({ etag: undefined }));
		await read(reader, 0, SENT);
		reader.close();
		files.content = changed(1);
		expectSame(await read(reader, 0, SIZE), files.content);
		const { digest } = reader;
		expect(digest && (await readerOf(await webSource({})).matches(digest))).toBe(true);
	});
});

describe('A stored file', () => {
	const stored = async (size: number, open: () => Readable) =>
		await storedSource(await itemReadBy(size, open));
	const streamOf = (chunks: Iterable<Buffer>) => Readable.from(chunks, { objectMode: false });

	it.each([SIZE - 1, SIZE + 1])('that is not of its size is never read to that size (%d)', async (size) => {
		const chunks = [0, 1, 2].map((third) => files.content.subarray(third * 200_000, (third + 1) * 200_000));
		const reader = readerOf(await stored(size, () => streamOf(chunks)));
		await expect(read(reader, 0, size)).rejects.toThrow(TransferError);
		expect(reader.digest?.to ?? 0).toBeLessThan(size);
	});

	it('that stands still is closed after the idle timeout, and when the execution is cancelled', async () => {
		const opened: Readable[] = [];
		const hanging = () => {
			const stream = new Readable({ read: () => {} });
			stream.push(files.content.subarray(0, OFFSET));
			opened.push(stream);
			return stream;
		};
		const source = await stored(SIZE, hanging);
		const idle = readerOf(source, 200);
		await expect(idle.open(SENT)).rejects.toThrow('was idle for 0.2 seconds');
		const abort = new AbortController();
		const cancelled = readerOf(source, 10_000, abort.signal);
		const opening = cancelled.open(SENT);
		while (opened.length < 2) await new Promise(setImmediate);
		abort.abort(new Error('cancelled'));
		await expect(opening).rejects.toThrow('cancelled');
		expect(opened.map(({ destroyed }) => destroyed)).toEqual([true, true]);
	});
});
