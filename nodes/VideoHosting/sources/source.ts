import type { NodeReadableClass } from '../transport/serviceRequest';
import { TransferError } from './transfer';

/** A file to upload that can be read from any offset, any number of times. */
export interface Source {
	/** Bytes. */
	readonly size: number;
	/** The file's name, if it has one. */
	readonly fileName?: string;
	/** As a node or a server states it. */
	readonly mimeType?: string;
	/** The file, as the subject of a sentence. */
	readonly label: string;
	/**
	 * Whether two reads are known to return the same content, or to throw. Binary data of n8n does not change. A URL with a strong
	 * validator is read with If-Range (RFC 9110 §13.1.5). {@link FileReader} compares other sources.
	 */
	readonly isImmutable: boolean;
	/**
	 * Node's class of streams, when nobody else refers to the chunks: then their memory can be given back once they were sent.
	 * Known from the first opening on.
	 */
	readonly readableClass?: NodeReadableClass;
	/**
	 * The bytes from `offset` to the end, in chunks of any size. A chunk that only had to be read to get to the offset is empty.
	 *
	 * @param signal closes the source, also while a chunk is waited for
	 * @throws TransferError when the source ends early or is rejected; ContentMismatchError when it is no longer the same file
	 */
	bytes(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/**
 * Passes chunks on and checks their total length. The last chunk is passed on only after the source has ended, so a file that
 * is longer than its reported size never completes an upload: a recording may still grow when it is uploaded.
 *
 * @param expected bytes
 * @param what the source, as the subject of a sentence
 * @throws TransferError when there are more or fewer: a read that was cut off throws by itself
 */
export async function* assertLength(
	chunks: AsyncIterable<Uint8Array>,
	expected: number,
	{ what, advice }: { what: string; advice?: string },
): AsyncGenerator<Uint8Array, void, undefined> {
	let last: Uint8Array = new Uint8Array();
	let total = 0;
	for await (const chunk of chunks) {
		total += chunk.length;
		if (total > expected) break;
		yield last;
		last = chunk;
	}
	if (total !== expected) throw new TransferError(`${what} is not of its reported size`, false, advice);
	yield last;
}

/** Skips the first `count` bytes: a skipped chunk becomes an empty chunk. */
export async function* skipBytes(
	chunks: AsyncIterable<Uint8Array>,
	count: number,
): AsyncGenerator<Uint8Array, void, undefined> {
	let left = count;
	for await (const chunk of chunks) {
		const skipped = Math.min(left, chunk.length);
		left -= skipped;
		yield chunk.subarray(skipped);
	}
}
