import type { NodeReadable, NodeReadableClass } from '../../transport/serviceRequest';
import { giveBack, WholeChunks } from '../../sources/chunkMemory';
import { SentBytes } from './sentBytes';

/** A chunk all of whose parts the client has. */
interface PassedChunk {
	memory: ArrayBufferLike;
	/** Bytes of the body up to its end. */
	end: number;
}

/**
 * Gives the memory of a chunk back as soon as the chunk has left Node. Left to V8, chunks gather until they are 64 MB, and then a full
 * collection walks everything that n8n has in memory: more than half of an upload's processor time (docs/benchmarks.md). V8's cheaper
 * collections often free none of them (docs/n8n-internals.md#chunk-memory).
 */
export class SentChunks {
	private readonly passed: PassedChunk[] = [];

	private readonly chunks = new WholeChunks();

	private handedOver = 0;

	/**
	 * @param parts of the chunks, in order; nobody else refers to a chunk once its last part was read
	 * @returns the parts as the body of a request, to be piped to it
	 */
	toStream(parts: AsyncIterable<Uint8Array>, readableClass: NodeReadableClass): NodeReadable {
		const stream = readableClass.from(
			this.pass(parts, () => sent),
			{ objectMode: false },
		);
		const sent = new SentBytes(stream);
		return stream;
	}

	private async *pass(
		parts: AsyncIterable<Uint8Array>,
		sent: () => SentBytes,
	): AsyncGenerator<Uint8Array, void, undefined> {
		for await (const part of parts) {
			// All that was handed over is in one of the client's streams or beyond: it asks for the next part after that.
			if (this.passed.length > 0) this.free(sent().of(this.handedOver));
			this.note(part);
			yield part;
		}
	}

	private note(part: Uint8Array): void {
		this.handedOver += part.length;
		const memory = this.chunks.add(part);
		if (memory) this.passed.push({ memory, end: this.handedOver });
	}

	/** @param sent bytes of the body */
	private free(sent: number): void {
		for (let [oldest] = this.passed; oldest && oldest.end <= sent; [oldest] = this.passed) {
			this.passed.shift();
			giveBack(oldest.memory);
		}
	}
}
