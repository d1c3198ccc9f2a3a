import { bodyStream } from '../../sources/chunkMemory';
import type { FileReader } from '../../sources/fileReader';
import { withIdleTimeout } from '../../sources/transfer';
import type { ServiceResponse, StreamedBody } from '../../transport/serviceRequest';
import type { FileRange } from './tusClient';
import { OFFSET_TYPE } from './uploadRequests';

/**
 * Sends a range of a file as the body of one request. The HTTP client reads it only as fast as the connection accepts it.
 *
 * @param onAccepted called with each number of bytes that the connection accepted
 * @param send sends the request; the signal ends it when no byte moved for too long
 * @throws TransferError when the source or the connection stood still, or the source failed; the cancel signal's reason; what
 * `send` throws
 */
export async function sendRange(
	reader: FileReader,
	{ size, start }: FileRange,
	onAccepted: (bytes: number) => void,
	send: (body: StreamedBody, signal: AbortSignal) => Promise<ServiceResponse>,
): Promise<ServiceResponse> {
	// Before the request: skipping to the offset may take long, and the service would see a dead connection.
	await reader.open(start);
	let sent = 0;
	let failure: Error | undefined;
	async function* parts(onMoved: () => void): AsyncGenerator<Uint8Array, void, undefined> {
		try {
			for await (const part of reader.read(start + size)) {
				onMoved();
				sent += part.length;
				onAccepted(part.length);
				yield part;
			}
		} catch (error) {
			failure = error instanceof Error ? error : new Error(String(error));
			throw failure;
		}
	}
	const work = async (onMoved: () => void, signal: AbortSignal) => {
		// A stream of Node's where the memory of chunks can be given back, otherwise a Blob; n8n's HTTP client accepts both.
		const { readableClass } = reader.source;
		const body = readableClass
			? bodyStream(parts(onMoved), readableClass)
			: new PartsBlob(size, parts(onMoved));
		return await send(body, signal).catch((error: unknown) => {
			// The client reports what the source threw as an error of the connection.
			throw failure ?? error;
		});
	};
	try {
		return await withIdleTimeout(reader.limits, work, 'The connection was idle for');
	} finally {
		// After an early response, the read must not continue during the next request.
		if (sent < size) reader.close();
	}
}

/** n8n's HTTP client sends a Blob as a stream with its size and type. */
class PartsBlob extends Blob {
	constructor(
		size: number,
		private readonly parts: AsyncGenerator<Uint8Array, void, undefined>,
	) {
		super([], { type: OFFSET_TYPE });
		// Blob's own size is that of its parts. n8n treats an object without own enumerable fields as an empty body.
		Object.defineProperty(this, 'size', { value: size, enumerable: true });
	}

	override stream(): ReturnType<Blob['stream']> {
		return ReadableStream.from(this.parts);
	}
}
