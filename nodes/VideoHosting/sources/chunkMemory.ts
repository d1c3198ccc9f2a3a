/** Node shares smaller memory between Buffers (Buffer.poolSize). */
const LEAST_OWN_BYTES = 64 * 1024;

/** ES2024, in Node from version 21. */
type Memory = ArrayBufferLike & { transfer?(bytes: number): unknown };

/** Recognizes the end of chunks that arrive in parts. */
export class WholeChunks {
	private memory: ArrayBufferLike | undefined;

	/** Of {@link memory}, from the first on. */
	private bytes = 0;

	/** @returns the chunk's memory when the part is its last one, and all before were added in order */
	add({ buffer, byteOffset, length }: Uint8Array): ArrayBufferLike | undefined {
		if (buffer === this.memory && byteOffset === this.bytes) this.bytes += length;
		else this.bytes = byteOffset === 0 ? length : -Infinity;
		this.memory = buffer;
		return this.bytes === buffer.byteLength ? buffer : undefined;
	}

	/** Gives the memory of a chunk back with its last part: nobody reads the parts any more. */
	discard(part: Uint8Array): void {
		const memory = this.add(part);
		if (memory) giveBack(memory);
	}
}

/**
 * Gives the memory of a chunk back at once. Left to V8, chunks gather until they are 64 MB, and then a full collection walks everything
 * that n8n has in memory (docs/n8n-internals.md#chunk-memory). Node 20 leaves it to V8.
 *
 * @param memory that nobody reads any more
 */
export function giveBack(memory: ArrayBufferLike): void {
	if (memory.byteLength >= LEAST_OWN_BYTES) (memory as Memory).transfer?.(0);
}
