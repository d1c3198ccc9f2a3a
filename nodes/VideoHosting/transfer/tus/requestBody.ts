import type { SourceRange } from '../source/rangeReader';
import { TransferError } from '../recovery/transferError';

/** Events of a request body. */
export interface RequestBodyEvents {
	/** The file returned another chunk. */
	onRead: () => void;
	/** The connection accepted this many bytes. */
	onAccepted: (bytes: number) => void;
}

/**
 * A range of a file as the body of one request. It is a Blob because n8n's HTTP client sends one as a stream with its
 * size and type, and reads it only as fast as the connection accepts it.
 */
export class RequestBody extends Blob {
	/** What went wrong with the file while it was read. */
	failure: Error | undefined;

	private readonly chunks: AsyncGenerator<Uint8Array, void, undefined>;

	private isRead = false;

	/** @param type content type of the request */
	constructor(
		range: SourceRange,
		type: string,
		private readonly events: RequestBodyEvents,
	) {
		super([], { type });
		this.chunks = range.bytes();
		// Blob's own size is that of its parts. n8n treats an object without own enumerable fields as an empty body.
		Object.defineProperty(this, 'size', { value: range.size, enumerable: true });
	}

	/**
	 * n8n repeats a request with a renewed token after a 401. The bytes read until then cannot be read again, and the service may
	 * have stored some of them: only a HEAD returns the offset to resume at.
	 *
	 * @throws TransferError when it is read a second time
	 */
	override stream(): ReturnType<Blob['stream']> {
		if (this.isRead) {
			this.failure = new TransferError('The access token expired while the file was being sent', true);
			throw this.failure;
		}
		this.isRead = true;
		return new ReadableStream<Uint8Array>(
			{
				pull: async (controller) => {
					try {
						const { value, done } = await this.read();
						if (done === true) {
							controller.close();
							return;
						}
						this.events.onAccepted(value.length);
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

	private async read(): Promise<IteratorResult<Uint8Array, void>> {
		const next = await this.chunks.next();
		this.events.onRead();
		return next;
	}
}
