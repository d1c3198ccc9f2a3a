import type { SourceRange } from './sourceReader';
import { TransferFault } from './transferFault';

/**
 * A range of a file as the body of one request. It is a Blob because n8n's HTTP client sends one as a stream with its
 * size and type, and reads it only as fast as the connection takes it.
 */
export class RequestBody extends Blob {
	/** What went wrong with the file while it was read. */
	failure: Error | undefined;

	private chunks: AsyncGenerator<Uint8Array, void, undefined> | undefined;

	/**
	 * @param type content type of the request
	 * @param onRead is told how many bytes the connection took, after each chunk
	 */
	constructor(
		private readonly range: SourceRange,
		type: string,
		private readonly onRead: (bytes: number) => void,
	) {
		super([], { type });
		// Blob's own size is that of its parts. n8n takes an object without own enumerable fields for an empty body.
		Object.defineProperty(this, 'size', { value: range.size, enumerable: true });
	}

	/**
	 * n8n repeats a request with a renewed token after a 401. What was read until then is gone, and the service may have
	 * taken part of it: only a HEAD tells where to go on.
	 *
	 * @throws TransferFault when it is read a second time
	 */
	override stream(): ReturnType<Blob['stream']> {
		if (this.chunks) {
			this.failure = new TransferFault('The access token expired while the file was on its way', true);
			throw this.failure;
		}
		const chunks = this.range.bytes();
		this.chunks = chunks;
		return new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					try {
						const { value, done } = await chunks.next();
						if (done === true) {
							controller.close();
							return;
						}
						this.onRead(value.length);
						controller.enqueue(value);
					} catch (error) {
						this.failure = error instanceof Error ? error : new Error(String(error));
						controller.error(error);
					}
				},
			},
			{ highWaterMark: 0 },
		);
	}
}
