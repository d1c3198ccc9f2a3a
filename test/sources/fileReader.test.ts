import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { sleep, type IBinaryData, type INodeExecutionData } from 'n8n-workflow';

import { binarySource } from '../../nodes/VideoHosting/sources/binarySource';
import { FileReader } from '../../nodes/VideoHosting/sources/fileReader';
import type { Source } from '../../nodes/VideoHosting/sources/source';
import { ContentMismatchError, TransferError } from '../../nodes/VideoHosting/sources/transfer';
import { urlSource } from '../../nodes/VideoHosting/sources/urlSource';
import { executeContext } from '../execution/executeNode';
import { itemByMode, itemReadBy, streamOf } from './binaryModes';
import { files, fileServerForEachTest, type FileServer } from './fileServer';

const SIZE = 600_000;
/** Where the service is to continue, and how much had been read until then. */
const [OFFSET, SENT] = [200_000, 400_000];

fileServerForEachTest(SIZE);

async function contextOfRun() {
	const credential = { baseUrl: '', email: '', password: '', applicationId: '', planId: '' };
	return (await executeContext({ service: { credential }, parameters: {} })).context;
}

async function storedSource({ binary = {} }: INodeExecutionData): Promise<Source> {
	// Each item of binaryModes.ts has a file in this field.
	return await binarySource(await contextOfRun(), binary.data as IBinaryData);
}

async function webSource(served: Partial<FileServer>): Promise<Source> {
	Object.assign(files, served);
	return await urlSource(await contextOfRun(), files.url, 10_000);
}

function readerOf(source: Source, idleTimeoutMs = 10_000, cancelled?: AbortSignal): FileReader {
	return new FileReader(source, { idleTimeoutMs, cancelled });
}

async function read(reader: FileReader, start: number, end: number): Promise<Buffer> {
	await reader.open(start);
	const parts: Uint8Array[] = [];
	for await (const part of reader.read(end)) parts.push(part);
	return Buffer.concat(parts);
}

/** It has read so many bytes of a file at a URL, and only the bytes can show that the file is the same. */
async function readerThatSent(bytes: number): Promise<FileReader> {
	const reader = readerOf(await webSource({ etag: undefined }));
	await read(reader, 0, bytes);
	reader.close();
	return reader;
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
		const reader = await readerThatSent(SENT);
		const { digest } = reader;
		files.content = changed(position);
		await expect(read(reader, OFFSET, SIZE)).rejects.toThrow(ContentMismatchError);
		// What is known of the bytes that were sent stays known.
		expect(reader.digest).toEqual(digest);
	});

	it('is not read on when it changes between the comparison and the next request', async () => {
		const reader = await readerThatSent(SENT);
		const [before, after, requests] = [files.content, changed(1), files.requests.length];
		const content = () => (files.requests.length > requests + 1 ? after : before);
		Object.defineProperty(files, 'content', { get: content });
		await expect(read(reader, OFFSET, SIZE)).rejects.toThrow(ContentMismatchError);
	});
});

describe('A file at a URL', () => {
	it.each([0, OFFSET])(
		'without a validator is requested once to be read on, when %d bytes of it were sent',
		async (sent) => {
			const reader = await readerThatSent(sent);
			const before = files.requests.length;
			expectSame(await read(reader, OFFSET, SIZE), files.content.subarray(OFFSET));
			expect(files.requests).toHaveLength(before + 1);
		},
	);

	it('is read to its end in many ranges, of which nothing remains', async () => {
		const source = await webSource({ longestRange: 100_000 });
		const { signal } = new AbortController();
		const chunks: Uint8Array[] = [];
		for await (const chunk of source.bytes(OFFSET, signal)) chunks.push(chunk);
		expectSame(Buffer.concat(chunks), files.content.subarray(OFFSET));
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	it('has a digest of what was read from its beginning, once, until the digest is asked for', async () => {
		const source = await webSource({});
		const reader = readerOf(source);
		await read(reader, 0, SENT);
		await read(reader, OFFSET, SENT + OFFSET / 2);
		const { digest } = reader;
		expect(digest?.to).toBe(SENT + OFFSET / 2);
		expect(digest && (await readerOf(source).matches(digest))).toBe(true);
		await read(reader, SENT + OFFSET / 2, SIZE);
		expect(reader.digest).toEqual(digest);
		const elsewhere = readerOf(source);
		await read(elsewhere, OFFSET, SIZE);
		expect(elsewhere.digest).toBeUndefined();
	});
});

describe('A stored file', () => {
	const stored = async (size: number, open: () => Readable | Promise<Readable>) =>
		await storedSource(await itemReadBy(size, open));

	it.each([OFFSET, SIZE - 1, SIZE + 1])(
		'that is not of its size is never read to that size (%d)',
		async (size) => {
			const chunks = [0, 1, 2].map((third) => files.content.subarray(third * 200_000, (third + 1) * 200_000));
			const reader = readerOf(await stored(size, () => streamOf(chunks)));
			const error = new TransferError("n8n's stored binary file is not of its reported size");
			await expect(read(reader, 0, size)).rejects.toThrow(error);
			expect(reader.digest?.to ?? 0).toBeLessThan(size);
		},
	);

	it.each(['memory', 'database'] as const)('is known not to change: mode %s', async (mode) => {
		const source = await storedSource(await itemByMode[mode](files.content));
		expect(source.isImmutable).toBe(true);
	});

	it('that ends early without an error is an error that may pass', async () => {
		const bytes = () => ReadableStream.from([files.content.subarray(0, OFFSET)]);
		const reading = read(readerOf({ size: SIZE, label: 'The file', isImmutable: true, bytes }), 0, SIZE);
		const message = 'The file ended before its reported size';
		await expect(reading).rejects.toMatchObject({ message, isTransient: true });
	});

	it('that moves is not idle, however long it takes', async () => {
		async function* slowly() {
			for (let start = 0; start < SIZE; start += SIZE / 12) {
				await sleep(60);
				yield files.content.subarray(start, start + SIZE / 12);
			}
		}
		const reader = readerOf(await stored(SIZE, () => streamOf(slowly())), 400);
		expectSame(await read(reader, SIZE - 1, SIZE), files.content.subarray(-1));
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
		// It is opened only after it was closed.
		const late = await stored(SIZE, async () => await sleep(100).then(hanging));
		await expect(readerOf(late, 50).open(SENT)).rejects.toThrow('was idle for 0.05 seconds');
		while (opened[2]?.destroyed !== true) await new Promise(setImmediate);
	});
});
