import type { NodeReadable, StreamedBody } from '../../transport/serviceRequest';
import { TransferError } from '../../sources/transferErrors';
import type { SourceRange } from '../../sources/rangeReader';
import { SentChunks } from './sentChunks';

/** Events of a request body. */
export interface RequestBodyEvents {
	/** The file returned another chunk. */
	onRead: () => void;
	/** The connection accepted this many bytes. */
	onAccepted: (bytes: number) => void;
}

/** A range of a file as the body of one request. The HTTP client reads it only as fast as the connection accepts it. */
export class RequestBody {
	/** What went wrong with the file while it was read. */
	failure: Error | undefined;

	private isRead = false;

	/** @param range is open */
	constructor(
		private readonly range: SourceRange,
		private readonly events: RequestBodyEvents,
	) {}

	/**
	 * What n8n's HTTP client sends, with Content-Length from the caller: a stream of Node's where the memory of chunks can be given back,
	 * otherwise a Blob. It can be read once; see {@link readAgain}.
	 *
	 * @param type content type of the request
	 */
	forClient(type: string): StreamedBody {
		const { readableClass, size } = this.range;
		if (readableClass) return this.stream(new SentChunks().toStream(this.parts(), readableClass));
		return new PartsBlob({ size, type }, () => {
			if (this.isRead) throw this.readAgain();
			this.isRead = true;
			return this.parts();
		});
	}

	private stream(stream: NodeReadable): NodeReadable {
		const pipe = stream.pipe.bind(stream);
		stream.pipe = <To extends NodeJS.WritableStream>(destination: To, options?: { end?: boolean }): To => {
			if (!this.isRead) {
				this.isRead = true;
				return pipe(destination, options);
			}
			// Whatever n8n's client pipes to ends its request when it fails. The body itself may have ended before. The type is older
			// than destroy(), which all streams of Node have.
			(destination as Partial<Pick<NodeReadable, 'destroy'>>).destroy?.(this.readAgain());
			return destination;
		};
		return stream;
	}

	private async *parts(): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			for await (const part of this.range.bytes()) {
				this.events.onRead();
				this.events.onAccepted(part.length);
				yield part;
			}
		} catch (error) {
			this.failure = error instanceof Error ? error : new Error(String(error));
			throw this.failure;
		}
	}

	/**
	 * n8n repeats a request with a renewed token after a 401. The bytes read until then cannot be read again, and the service may
	 * have stored some of them: only a HEAD returns the offset to resume at.
	 */
	private readAgain(): Error {
		this.failure = new TransferError('The access token expired while the file was being sent', true);
		return this.failure;
	}
}

/** n8n's HTTP client sends a Blob as a stream with its size and type. */
class PartsBlob extends Blob {
	constructor(
		{ size, type }: { size: number; type: string },
		private readonly read: () => AsyncGenerator<Uint8Array, void, undefined>,
	) {
		super([], { type });
		// Blob's own size is that of its parts. n8n treats an object without own enumerable fields as an empty body.
		Object.defineProperty(this, 'size', { value: size, enumerable: true });
	}

	override stream(): ReturnType<Blob['stream']> {
		return ReadableStream.from(this.read());
	}
}
