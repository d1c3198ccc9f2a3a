import type { Source } from './source';
import { TransferFault } from './transferFault';

/** A range of a file that one request carries. tus-js-client looks at `size` alone (fact 23). */
export interface SourceRange {
	/** Bytes. */
	readonly size: number;
	bytes(): AsyncGenerator<Uint8Array, void, undefined>;
}

/**
 * What tus-js-client calls a file source: ranges of one file. Ranges that follow each other are read from one opening of
 * the source, since opening it at an offset may mean to read everything before.
 */
export class SourceReader {
	readonly size: number;

	private opening: { chunks: AsyncIterator<Uint8Array>; closer: AbortController } | undefined;

	/** Offset of the next byte that the opening gives. */
	private position = 0;

	private rest: Uint8Array | undefined;

	constructor(private readonly source: Source) {
		this.size = source.size;
	}

	slice(start: number, end: number): Promise<{ value: SourceRange; done: boolean }> {
		const last = Math.min(end, this.size);
		const value: SourceRange = { size: last - start, bytes: () => this.read(start, last) };
		return Promise.resolve({ value, done: last === this.size });
	}

	/** Closes the source, also while a chunk is waited for; the next range opens it again. */
	close(): void {
		this.opening?.closer.abort();
		this.opening = undefined;
		this.rest = undefined;
	}

	private async *read(start: number, end: number): AsyncGenerator<Uint8Array, void, undefined> {
		const { chunks } = this.openingAt(start);
		while (this.position < end) {
			const chunk = this.rest ?? (await this.next(chunks));
			const wanted = end - this.position;
			this.rest = chunk.length > wanted ? chunk.subarray(wanted) : undefined;
			const part = chunk.subarray(0, wanted);
			this.position += part.length;
			yield part;
		}
	}

	private openingAt(start: number): { chunks: AsyncIterator<Uint8Array> } {
		if (this.opening && this.position === start) return this.opening;
		this.close();
		const closer = new AbortController();
		this.position = start;
		this.opening = { closer, chunks: this.source.bytes(start, closer.signal)[Symbol.asyncIterator]() };
		return this.opening;
	}

	private async next(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
		const next = await chunks.next().catch((error: unknown) => {
			this.close();
			throw readFault(error);
		});
		if (next.done !== true) return next.value;
		throw new TransferFault('The file broke off before its end', true);
	}
}

function readFault(error: unknown): TransferFault {
	if (error instanceof TransferFault) return error;
	const said = error instanceof Error ? error.message : String(error);
	return new TransferFault(`The file could not be read to its end (${said})`, true);
}
