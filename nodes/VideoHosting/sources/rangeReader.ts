import { ContentMismatchError, toReadError, TransferError } from './transferErrors';
import { ContentDigest, coveredBytes, ContentVerifier, type ContentChecksum } from './contentChecksum';
import { WholeChunks } from './chunkMemory';
import { withIdleTimeout, type SourceLimits } from './idleTimeout';
import { skipBytes, type Source } from './source';
import type { NodeReadableClass } from '../transport/serviceRequest';

/**
 * Most bytes that the HTTP client receives at once. It accepts the next ones when the connection has accepted these, and that
 * is all that the idle timer and the progress see, however large the chunks of a source are: n8n's database mode returns the
 * whole file in one. On a line slower than this per Idle Timeout (1.1 kB/s with 60 seconds) a connection that works is
 * mistaken for a dead one. Smaller parts cost time on a fast line, larger ones save little.
 */
export const PART_BYTES = 64 * 1024;

/** A range of a file that one request carries. tus-js-client 4.3.1 uses only `size` (lib.es5/upload.js, _addChunkToRequest). */
export interface SourceRange {
	/** Bytes. */
	readonly size: number;
	/**
	 * Opens the source and reads up to the first chunk of the range, so that no request waits for that.
	 *
	 * @throws TransferError when the source cannot be read; ContentMismatchError when it has changed
	 */
	open(): Promise<void>;
	bytes(): AsyncGenerator<Uint8Array, void, undefined>;
	/** Of reading and sending it. */
	readonly limits: SourceLimits;
	/** Of the opened source, see {@link Source.readableClass}. */
	readonly readableClass: NodeReadableClass | undefined;
	/** Closes the source, even while a chunk is pending; the next read opens it again. */
	close(): void;
}

/**
 * What tus-js-client calls a file source: ranges of one file. Ranges that follow each other are read from one opening of
 * the source, since opening it at an offset may require reading everything before.
 *
 * It digests all that it reads, so that a later run can prove that it has the same file. A source that cannot prove by itself
 * that it is unchanged is read from the start of the digest when it is opened again, and compared.
 */
export class RangeReader {
	readonly size: number;

	private opening: Opening | undefined;

	/** Of the bytes read so far. */
	private digest: ContentDigest | undefined;

	/** What earlier openings of a source that may change have read, as far as the present opening has not confirmed it. */
	private unconfirmed: ContentChecksum[] = [];

	/** @param limits of all that is read */
	constructor(
		private readonly source: Source,
		private readonly limits: SourceLimits,
	) {
		this.size = source.size;
	}

	/**
	 * @param start offset of the first byte
	 * @param end offset after the last byte; the size of the file ends the range as well
	 */
	slice(start: number, end: number): Promise<{ value: SourceRange; done: boolean }> {
		const last = Math.min(end, this.size);
		const { limits, source } = this;
		const value: SourceRange = {
			size: last - start,
			limits,
			get readableClass() {
				return source.readableClass;
			},
			open: async () => {
				if (start < last) await this.open(start);
			},
			bytes: () => this.openingAt(start).read(last),
			close: () => {
				this.close();
			},
		};
		return Promise.resolve({ value, done: last === this.size });
	}

	/**
	 * Opens the source and reads up to the chunk at an offset.
	 *
	 * @throws TransferError when the source cannot be read; ContentMismatchError when it has changed
	 */
	async open(start: number): Promise<void> {
		await withIdleTimeout(this, this.limits, async (onRead) => {
			await this.openingAt(start).readAhead(onRead);
		});
	}

	/** Closes the source, even while a chunk is pending; the next range opens it again. */
	close(): void {
		this.opening?.close();
		this.opening = undefined;
	}

	/** Offset after the last byte that was read or confirmed; undefined when nothing was. */
	get digestedTo(): number | undefined {
		return this.digest && Math.max(this.digest.to, coveredBytes(this.unconfirmed));
	}

	/** What is known of the bytes read so far; all of it has to hold. Ends the digest: nothing can be read afterwards. */
	checksums(): ContentChecksum[] {
		const own = this.digest && this.digest.to > this.digest.from ? [this.digest.checksum()] : [];
		return [...this.unconfirmed, ...own];
	}

	/** Discards what was read, for an upload of which the service has no bytes. */
	restart(): void {
		this.close();
		this.digest = undefined;
		this.unconfirmed = [];
	}

	/**
	 * Compares the file with what is known of it.
	 *
	 * @returns whether it can be the same file
	 * @throws TransferError when the source cannot be read
	 */
	async matches(checksums: readonly ContentChecksum[]): Promise<boolean> {
		this.restart();
		const end = coveredBytes(checksums);
		if (end > this.size) return false;
		const digest = new ContentDigest(0);
		const check = new ContentVerifier(checksums);
		const chunks = new WholeChunks();
		const opening = new Opening(this.source.bytes.bind(this.source), 0, digest);
		const isSame = await withIdleTimeout(opening, this.limits, async (onRead) => {
			let position = 0;
			for await (const chunk of opening.read(end)) {
				onRead();
				if (check.differs(chunk, position)) return false;
				position += chunk.length;
				if (this.source.readableClass) chunks.discard(chunk);
			}
			return true;
		}).finally(() => {
			opening.close();
		});
		if (isSame) this.digest = digest;
		return isSame;
	}

	private openingAt(start: number): Opening {
		if (this.opening?.position === start) return this.opening;
		this.close();
		this.opening = this.source.isImmutable ? this.reopenProven(start) : this.reopenUnproven(start);
		return this.opening;
	}

	private reopenProven(start: number): Opening {
		if (!this.digest || start < this.digest.from || start > this.digest.to) {
			this.digest = new ContentDigest(start);
		}
		return new Opening(this.source.bytes.bind(this.source), start, this.digest);
	}

	/** All that follows has to come from one opening whose beginning is confirmed. */
	private reopenUnproven(start: number): Opening {
		const known = start > (this.digestedTo ?? 0) ? [] : this.checksums();
		const from = Math.min(start, ...known.map((checksum) => checksum.from));
		const digest = new ContentDigest(from);
		this.unconfirmed = known;
		this.digest = digest;
		const bytes: Source['bytes'] = (_offset, signal) => {
			const chunks = this.compared(this.source.bytes(from, signal), { start, known, digest });
			return skipBytes(chunks, start - from);
		};
		return new Opening(bytes, start, digest);
	}

	/** Passes chunks on once they are digested, and compared as far as something is known of them. */
	private async *compared(
		chunks: AsyncIterable<Uint8Array>,
		{ start, known, digest }: { start: number; known: ContentChecksum[]; digest: ContentDigest },
	): AsyncGenerator<Uint8Array, void, undefined> {
		const check = new ContentVerifier(known);
		for await (const chunk of chunks) {
			if (check.differs(chunk, digest.to)) {
				// What was sent before this chunk, now or by an opening that was not confirmed, may be of another file.
				const isCorrupt = digest.to > start || known.length > 1;
				// What stays known is what was read before the change.
				if (this.digest === digest) this.digest = undefined;
				throw new ContentMismatchError('the file changed while it was uploaded', isCorrupt);
			}
			digest.add(chunk, digest.to);
			if (digest.to >= coveredBytes(known) && this.digest === digest) this.unconfirmed = [];
			yield chunk;
		}
	}
}

/** One opening of the source. An abandoned request may still wait for a chunk of it after the next opening. */
class Opening {
	private readonly closer = new AbortController();

	private readonly chunks: AsyncIterator<Uint8Array, unknown>;

	/** Of the chunk that was read last. */
	private rest: Uint8Array = new Uint8Array();

	/** @param position offset of the next byte, in bytes */
	constructor(
		bytes: Source['bytes'],
		public position: number,
		private readonly digest: ContentDigest,
	) {
		this.chunks = bytes(position, this.closer.signal)[Symbol.asyncIterator]();
	}

	/** @param onRead called after each chunk that is read on the way to the next byte, and after the one with it */
	async readAhead(onRead: () => void = () => {}): Promise<void> {
		while (this.rest.length === 0) {
			const next = await this.chunks.next().catch((error: unknown) => {
				throw toReadError(error);
			});
			if (next.done === true) throw new TransferError('The file ended before its reported size', true);
			this.rest = next.value;
			onRead();
		}
	}

	close(): void {
		this.closer.abort();
	}

	/** The bytes up to `end`, in parts of at most {@link PART_BYTES}. */
	async *read(end: number): AsyncGenerator<Uint8Array, void, undefined> {
		while (this.position < end) {
			await this.readAhead();
			const wanted = Math.min(end - this.position, PART_BYTES);
			const part = this.rest.subarray(0, wanted);
			this.rest = this.rest.subarray(wanted);
			// The digest covers what may have been sent, and what is only read to look at it must not be part of it.
			if (!this.closer.signal.aborted) this.digest.add(part, this.position);
			this.position += part.length;
			yield part;
		}
	}
}
