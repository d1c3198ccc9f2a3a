import type { ServiceResponse, NodeReadable, StreamedBody } from '../../transport/serviceRequest';
import { withIdleTimeout } from '../../sources/idleTimeout';
import type { SourceRange } from '../../sources/rangeReader';
import { TransferError } from '../../sources/transferErrors';
import { bodyStream } from '../../sources/chunkMemory';

/**
 * Sends a range of a file as the body of one request.
 *
 * @param type content type of the request
 * @param onAccepted called with each number of bytes that the connection accepted
 * @param send sends the request; the signal ends it when no byte moved for too long
 * @throws TransferError when the source or the connection stood still, or the source failed; the cancel signal's reason; what
 * `send` throws
 */
export async function sendRange(
	range: SourceRange,
	type: string,
	onAccepted: (bytes: number) => void,
	send: (body: StreamedBody, signal: AbortSignal) => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
	// Skipping to the offset may take long. A request that waited for it would look like a dead connection to the service.
	await range.open();
	let sent = 0;
	try {
		const work = async (onMoved: () => void, signal: AbortSignal) => {
			const body = new RequestBody(range, (bytes) => {
				onMoved();
				sent += bytes;
				onAccepted(bytes);
			});
			return await send(body.forClient(type), signal).catch((error: unknown) => {
				throw body.failure ?? error;
			});
		};
		return await withIdleTimeout(range, range.limits, work, 'The connection was idle for');
	} finally {
		// A response may come before all bytes went out; the read must not continue during the next request.
		if (sent < range.size) range.close();
	}
}

/** A range of a file as the body of one request. The HTTP client reads it only as fast as the connection accepts it. */
export class RequestBody {
	/** What went wrong with the file while it was read. */
	failure: Error | undefined;

	private isRead = false;

	/**
	 * @param range is open
	 * @param onAccepted called with each number of bytes that the connection accepts
	 */
	constructor(
		private readonly range: SourceRange,
		private readonly onAccepted: (bytes: number) => void,
	) {}

	/**
	 * What n8n's HTTP client sends, with Content-Length from the caller: a stream of Node's where the memory of chunks can be given back,
	 * otherwise a Blob. It can be read once; see {@link readAgain}.
	 *
	 * @param type content type of the request
	 */
	forClient(type: string): StreamedBody {
		const { readableClass, size } = this.range;
		if (readableClass) return this.stream(bodyStream(this.parts(), readableClass));
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
				this.onAccepted(part.length);
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
