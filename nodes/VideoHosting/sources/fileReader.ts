import { RollingDigest, type ContentDigest } from './contentDigest';
import { assertVideo } from './noVideo';
import type { Source } from './source';
import {
	withIdleTimeout,
	type SourceLimits,
	ContentMismatchError,
	toReadError,
	TransferError,
} from './transfer';

/**
 * Bytes per part for the HTTP client. The idle timer and the progress see whole parts only, and n8n's database mode returns a file
 * in one chunk. A line slower than one part per Idle Timeout (1.1 kB/s with 60 seconds) counts as dead. Smaller parts cost time on a
 * fast line, larger ones save little.
 */
export const PART_BYTES = 64 * 1024;

/**
 * Reads ranges of one file. Ranges that follow each other are read from one opening of the source, since opening it at an
 * offset may require reading everything before.
 *
 * It digests what it reads, so that a later upload can prove that it has the same file. A source that is not immutable (a server
 * without ETags may replace its file) is always opened at byte 0, and nothing of it is passed on until its beginning is proven to be
 * what was sent.
 */
export class FileReader {
	private opening: Opening | undefined;

	private rolling = new RollingDigest();

	/**
	 * @param limits of all that is read
	 * @param name of the new video
	 */
	constructor(
		readonly source: Source,
		readonly limits: SourceLimits,
		private readonly name: string,
	) {}

	/**
	 * Opens the source and reads up to the chunk at an offset. Byte 0 starts a new digest.
	 *
	 * @throws TransferError when the source cannot be read, or byte 0 begins no video; ContentMismatchError when it has changed
	 */
	async open(start: number): Promise<void> {
		if (this.opening?.position !== start) await this.reopen(start);
		await withIdleTimeout(this.limits, async (onRead) => {
			await this.opening?.readAhead(onRead);
		});
	}

	/** The bytes from where the source is open up to an offset. */
	async *read(end: number): AsyncGenerator<Uint8Array, void, undefined> {
		if (this.opening) yield* this.opening.read(end);
	}

	/** Closes the source, even while a chunk is pending; the next range opens it again. */
	close(): void {
		this.opening?.close();
		this.opening = undefined;
	}

	/**
	 * Digest of the bytes that were read from byte 0; undefined without any. Ends the digest: later bytes are not covered.
	 */
	get digest(): ContentDigest | undefined {
		const digest = this.rolling.end();
		return digest.to > 0 ? digest : undefined;
	}

	/**
	 * Reads the beginning of the file and compares it. If it is the same, the file can be opened at any offset up to there, and the
	 * digest continues.
	 *
	 * @returns whether it can be the same file
	 * @throws as {@link open}
	 */
	async matches(known: ContentDigest): Promise<boolean> {
		return await this.readTo(known.to, known);
	}

	private async reopen(start: number): Promise<void> {
		if (start === 0) this.rolling = new RollingDigest();
		if (this.source.isImmutable) {
			this.openAt(start, this.rolling);
			return;
		}
		const sent = this.digest;
		// The service may have fewer bytes than were sent: the line was cut while they were on their way. All of them are compared before
		// the first one is sent again, and what is sent then comes from an opening whose own beginning is the same.
		const isSame = !sent || sent.to <= start || (await this.readTo(sent.to, sent, start));
		if (!isSame || !(await this.readTo(start, this.digest)))
			throw new ContentMismatchError('the file changed while it was uploaded');
	}

	private openAt(start: number, digest: RollingDigest): Opening {
		this.close();
		const opening = new Opening(this.source, this.name, start, digest);
		this.opening = opening;
		return opening;
	}

	/**
	 * Opens the source at byte 0 and reads up to an offset.
	 *
	 * @param known of at most as many bytes
	 * @param most bytes that the new digest covers
	 * @returns whether the beginning is as known. If not, or if it throws, the digest stays as it was.
	 */
	private async readTo(end: number, known: ContentDigest | undefined, most = Infinity): Promise<boolean> {
		const digest = new RollingDigest(most);
		const check = new RollingDigest(known?.to, known?.key);
		const opening = this.openAt(0, digest);
		await withIdleTimeout(this.limits, async (onRead) => {
			for await (const part of opening.read(end)) {
				onRead();
				check.add(part, opening.position - part.length);
			}
		});
		const isSame = !known || check.end().tag === known.tag;
		if (isSame) this.rolling = digest;
		else this.close();
		return isSame;
	}
}

/** One opening of the source. */
class Opening {
	private readonly closer = new AbortController();

	private readonly chunks: AsyncIterator<Uint8Array, unknown>;

	/** Unread rest of the latest chunk. */
	private rest: Uint8Array = new Uint8Array();

	/** @param position offset of the next byte, in bytes */
	constructor(
		source: Source,
		name: string,
		public position: number,
		private readonly digest: RollingDigest,
	) {
		const bytes = source.bytes(position, this.closer.signal);
		this.chunks = (position === 0 ? assertVideo(source, name, bytes) : bytes)[Symbol.asyncIterator]();
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
			this.digest.add(part, this.position);
			this.position += part.length;
			yield part;
		}
	}
}
