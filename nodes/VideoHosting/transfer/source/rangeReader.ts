import type { Source } from './source';
import { TransferError } from '../recovery/transferError';

/** A range of a file that one request carries. tus-js-client looks at `size` alone (tus-js-client 4.3.1 lib.es5/upload.js, _addChunkToRequest). */
export interface SourceRange {
	/** Bytes. */
	readonly size: number;
	/** See {@link Source}. */
	readonly disposableChunks: boolean;
	bytes(): AsyncGenerator<Uint8Array, void, undefined>;
	/** Closes the source, also while a chunk is waited for; whatever is read next opens it again. */
	close(): void;
}

/**
 * What tus-js-client calls a file source: ranges of one file. Ranges that follow each other are read from one opening of
 * the source, since opening it at an offset may mean to read everything before.
 */
export class RangeReader {
	readonly size: number;

	private opening: Opening | undefined;

	constructor(private readonly source: Source) {
		this.size = source.size;
	}

	/**
	 * @param start offset of the first byte
	 * @param end offset after the last byte; the size of the file ends the range as well
	 * @throws RangeError when there is no such range
	 */
	slice(start: number, end: number): Promise<{ value: SourceRange; done: boolean }> {
		const last = Math.min(end, this.size);
		if (!Number.isSafeInteger(start) || !Number.isSafeInteger(last) || start < 0 || last < start) {
			throw new RangeError(`A file of ${this.size} bytes has no range from ${start} to ${end}`);
		}
		const value: SourceRange = {
			size: last - start,
			disposableChunks: this.source.disposableChunks,
			bytes: () => this.openingAt(start).read(last),
			close: () => {
				this.close();
			},
		};
		return Promise.resolve({ value, done: last === this.size });
	}

	/** Closes the source, also while a chunk is waited for; the next range opens it again. */
	close(): void {
		this.opening?.close();
		this.opening = undefined;
	}

	private openingAt(start: number): Opening {
		if (this.opening?.position !== start) {
			this.close();
			this.opening = new Opening(this.source, start);
		}
		return this.opening;
	}
}

/** One opening of the source. A request that was given up may still wait for a chunk of it when the next one is open. */
class Opening {
	private readonly closer = new AbortController();

	private readonly chunks: AsyncIterator<Uint8Array, unknown>;

	private rest: Uint8Array | undefined;

	/** @param position offset of the next byte, in bytes */
	constructor(
		source: Source,
		public position: number,
	) {
		this.chunks = source.bytes(position, this.closer.signal)[Symbol.asyncIterator]();
	}

	close(): void {
		this.closer.abort();
	}

	async *read(end: number): AsyncGenerator<Uint8Array, void, undefined> {
		while (this.position < end) {
			const chunk = this.rest ?? (await this.next());
			const wanted = end - this.position;
			this.rest = chunk.length > wanted ? chunk.subarray(wanted) : undefined;
			const part = chunk.subarray(0, wanted);
			// Without progress this loop never ends and keeps n8n from doing anything else.
			if (part.length === 0) throw new TransferError('The file was read without getting any bytes', false);
			this.position += part.length;
			yield part;
		}
	}

	private async next(): Promise<Uint8Array> {
		const next = await this.chunks.next().catch((error: unknown) => {
			throw readError(error);
		});
		if (next.done !== true) return next.value;
		throw new TransferError('The file broke off before its end', true);
	}
}

function readError(error: unknown): TransferError {
	if (error instanceof TransferError) return error;
	const said = error instanceof Error ? error.message : String(error);
	return new TransferError(`The file could not be read to its end (${said})`, true);
}
