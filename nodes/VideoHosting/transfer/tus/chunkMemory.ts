/** Bytes that a request body has in memory: those it reads before the request, later those it sent last. */
export const WINDOW_BYTES = 4 * 1024 * 1024;

/**
 * Gives the memory of chunks back once they were sent. Left to V8, chunks gather until they are 64 MB, and then a full
 * collection walks everything that n8n has in memory: half of an upload's processor time (docs/benchmarks.md).
 *
 * n8n's HTTP client does not tell when a chunk has left, but it takes chunks only while its buffers, which have a fixed
 * size, have room. How much they hold is seen before the connection is there: the client had the whole window to take, and
 * a turn of the event loop later it has taken less. So what it took before the last window has left. A client that takes
 * everything at once, and may send it whenever it likes, keeps its chunks; so does Node 20, which cannot give memory back.
 */
export class ChunkMemory {
	private readonly taken: Uint8Array[] = [];

	/** Of {@link taken}. */
	private bytes = 0;

	private isBounded = false;

	/** @param chunk what the client takes; the whole window is ready behind the first one */
	take(chunk: Uint8Array): void {
		if (this.bytes === 0) this.lookNextTurn();
		this.taken.push(chunk);
		this.bytes += chunk.length;
		for (
			let [oldest] = this.taken;
			oldest && this.bytes - oldest.length >= WINDOW_BYTES;
			[oldest] = this.taken
		) {
			this.taken.shift();
			this.bytes -= oldest.length;
			if (this.isBounded) releaseMemory(oldest);
		}
	}

	/** n8n's rules for community packages refuse setImmediate. */
	private lookNextTurn(): void {
		const { port1, port2 } = new MessageChannel();
		port1.once('message', () => {
			this.isBounded = this.bytes < WINDOW_BYTES;
			port1.close();
		});
		port2.postMessage(undefined);
	}
}

/** Gives the memory of a chunk back that nobody reads any more, unless it is part of a larger one. */
export function releaseMemory(chunk: Uint8Array): void {
	// ES2024, in Node from version 21.
	const buffer: ArrayBufferLike & { transfer?(bytes: number): unknown } = chunk.buffer;
	if (chunk.byteLength === buffer.byteLength) buffer.transfer?.(0);
}
