/** Elements of one array; as large as V8 still puts into the young generation (half of a page of 256 KiB is the limit). */
const ARRAY_LENGTH = 8 * 1024;

/** V8 in Node stores an element in 8 bytes. */
const ARRAY_BYTES = 8 * ARRAY_LENGTH;

/**
 * Bytes of chunks for each byte of arrays. With 16 MB for new objects a scavenge then comes after 32 MB of chunks, half of what
 * starts a full collection. Each further byte of arrays costs processor time.
 */
const CHUNK_BYTES_PER_ARRAY_BYTE = 2;

/**
 * Makes V8 free the memory of unreferenced chunks early. A chunk is a small object in V8's
 * heap and a large block outside it. The cheap collection of new objects (scavenge) frees both, but starts only when the
 * heap's own part for new objects is full, 16 MB, and chunks hardly fill it. So they gather until V8 counts 64 MB of
 * them, and then it runs a full collection, which walks everything that n8n has in memory: more than half of an upload's
 * processor time (docs/benchmarks.md).
 *
 * This allocates short-lived arrays while chunks are read, so that scavenges run as if chunks were in the heap. It
 * refers to no chunk and frees none: V8 alone decides what is unreachable. Where that part of the heap is larger
 * (--max-semi-space-size, or n8n 2.41.1 on Node 24 after its start-up) full collections occur as well.
 */
export class ScavengePacer {
	/** The newest array. It is kept until the next one, so that no compiler can leave the allocation out. */
	newest: unknown[] = [];

	private owed = 0;

	/** @param bytes that were read */
	count(bytes: number): void {
		this.owed += bytes;
		while (this.owed >= CHUNK_BYTES_PER_ARRAY_BYTE * ARRAY_BYTES) {
			this.newest = new Array<unknown>(ARRAY_LENGTH);
			this.owed -= CHUNK_BYTES_PER_ARRAY_BYTE * ARRAY_BYTES;
		}
	}
}

/** Passes chunks on, see {@link ScavengePacer}. */
export async function* paceScavenges(
	chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
	const pacer = new ScavengePacer();
	for await (const chunk of chunks) {
		pacer.count(chunk.length);
		yield chunk;
	}
}
