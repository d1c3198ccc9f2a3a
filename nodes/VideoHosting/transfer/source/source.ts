import { TransferError } from '../recovery/transferError';
import { WrongSizeError } from '../recovery/wrongSizeError';

/** A file to upload that can be read from any offset, as often as it takes. */
export interface Source {
	/** Bytes. */
	readonly size: number;
	/** Its own name, where it has one. */
	readonly fileName?: string;
	/**
	 * Whether the source itself detects that the content changed between two reads of this object, and throws then: binary data
	 * of n8n does not change, and a URL with a strong validator is read with If-Range (RFC 9110 §13.1.5). Of other sources, what
	 * was read before is read again and compared.
	 */
	readonly isProvenUnchanged: boolean;
	/**
	 * The bytes from `offset` to the end, in chunks of any size.
	 *
	 * @param signal closes the source, also while a chunk is waited for
	 * @param onSkipped called after each chunk that had to be read to get to the offset
	 * @throws TransferError when the source breaks off, is refused, or is no longer the same file
	 */
	bytes(offset: number, signal: AbortSignal, onSkipped: () => void): AsyncIterable<Uint8Array>;
}

/** Empty chunks in a row: a source of nothing else would keep n8n busy forever. */
const MOST_EMPTY_CHUNKS = 1_000;

/**
 * Passes chunks on and makes sure that they are exactly so many bytes. The last chunk is handed over only when nothing
 * follows it, so a file that is longer than it said never completes an upload.
 *
 * @param expected bytes
 * @param what the source, as the subject of a sentence
 * @throws TransferError when there are fewer; WrongSizeError when there are more
 */
export async function* assertLength(
	chunks: AsyncIterable<Uint8Array>,
	expected: number,
	what: string,
): AsyncGenerator<Uint8Array, void, undefined> {
	let held: Uint8Array | undefined;
	let total = 0;
	let empty = 0;
	for await (const chunk of chunks) {
		if (chunk.length === 0) {
			if (++empty > MOST_EMPTY_CHUNKS) throw new TransferError(`${what} has only empty chunks`, false);
			continue;
		}
		empty = 0;
		total += chunk.length;
		if (total > expected) throw new WrongSizeError(`${what} is longer than its reported size`);
		if (held) yield held;
		held = chunk;
	}
	if (total < expected) {
		throw new TransferError(`${what} broke off ${expected - total} bytes before its end`, true);
	}
	if (held) yield held;
}

/**
 * Leaves out the first `count` bytes.
 *
 * @param onSkipped called after each chunk of which bytes are left out
 */
export async function* skipBytes(
	chunks: AsyncIterable<Uint8Array>,
	count: number,
	onSkipped: () => void,
): AsyncGenerator<Uint8Array, void, undefined> {
	let left = count;
	for await (const chunk of chunks) {
		const { length } = chunk;
		if (left > 0 && length > 0) onSkipped();
		// assertLength() counts empty chunks.
		if (length === 0 || left < length) yield left === 0 ? chunk : chunk.subarray(left);
		left = Math.max(0, left - length);
	}
}
