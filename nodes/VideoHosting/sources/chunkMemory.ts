import type { NodeReadable, NodeReadableClass } from '../transport/serviceRequest';

/** Node shares smaller memory between Buffers (Buffer.poolSize). */
const LEAST_OWN_BYTES = 64 * 1024;

/** ES2024, in Node from version 21. */
type Memory = ArrayBufferLike & { transfer?(bytes: number): unknown };

/** Frees memory that nobody reads any more. Node 20 leaves that to V8. */
function giveBack(memory: ArrayBufferLike): void {
	if (memory.byteLength >= LEAST_OWN_BYTES) (memory as Memory).transfer?.(0);
}

/** More than the headers of a request, in bytes. */
const MOST_HEADER_BYTES = 64 * 1024;

/** A stream between the body and the request. */
type Stage = Pick<NodeReadable, 'pipe' | 'readableLength' | 'listenerCount'> & { writableLength?: number };

/** Node's http.ClientRequest, as far as it is used. */
interface Request {
	destroyed: boolean;
	/** Bytes buffered by the request and its socket. */
	writableLength: number;
	socket: Socket | null;
}

/** Node's net.Socket or tls.TLSSocket, as far as it is used. */
interface Socket {
	/** Sent and buffered bytes. */
	bytesWritten: number;
	/** Buffered bytes. */
	writableLength: number;
}

/**
 * Counts the bytes of a request body that have certainly left Node. Follows the streams from the body to Node's own request, whichever
 * HTTP client connects them. The smaller of two counts holds:
 *
 * - bytes handed to the client, less what each stream on the way holds (`readableLength`, `writableLength`),
 * - bytes that the socket has sent since it was first seen (`bytesWritten`), less the headers.
 *
 * The count is 0 for the rest of the request after anything unknown:
 *
 * - a destination that is neither a duplex stream nor Node's own request (that of follow-redirects keeps the body),
 * - a second destination or reader, a `write` of the request's own, another socket.
 *
 * Only a client that hides chunks from the streams and sends them twice to Node's own request could deceive the count.
 */
class SentBytes {
	private readonly stages: Stage[] = [];

	private request: Request | undefined;

	private socket: Socket | undefined;

	/** Sent and buffered bytes of the socket when it was first seen. */
	private before = 0;

	private isKnown = true;

	/** @param body is piped by the client later */
	constructor(body: NodeReadable) {
		this.follow(body);
	}

	/**
	 * @param handedOver bytes that the body has passed on
	 * @returns how many of them, from the first on, nobody needs any more; below 1 for none
	 */
	of(handedOver: number): number {
		const { request } = this;
		if (!this.isKnown || !request?.socket) return 0;
		if (!this.socket) {
			this.socket = request.socket;
			this.before = request.socket.bytesWritten;
		}
		this.isKnown =
			this.socket === request.socket &&
			!request.destroyed &&
			!Object.hasOwn(request, 'write') &&
			this.stages.every((stage) => stage.listenerCount('data') <= 1);
		const held = this.stages.reduce(
			(bytes, { readableLength, writableLength = 0 }) => bytes + readableLength + writableLength,
			request.writableLength,
		);
		const sent = this.socket.bytesWritten - this.socket.writableLength - this.before - MOST_HEADER_BYTES;
		return this.isKnown ? Math.min(handedOver - held, sent) : 0;
	}

	private follow(stage: Stage): void {
		this.stages.push(stage);
		const pipe = stage.pipe.bind(stage);
		let isPiped = false;
		stage.pipe = <To extends NodeJS.WritableStream>(destination: To, options?: { end?: boolean }): To => {
			if (isPiped) this.isKnown = false;
			isPiped = true;
			if (isNodeRequest(destination)) this.request = destination;
			else if (isStage(destination)) this.follow(destination);
			return pipe(destination, options);
		};
	}
}

/** n8n's rules for community packages refuse to import the class. */
function isNodeRequest(destination: NodeJS.WritableStream): destination is NodeJS.WritableStream & Request {
	// An object's prototype is typed `any`.
	const { constructor } = Object.getPrototypeOf(destination) as object;
	return constructor.name === 'ClientRequest';
}

function isStage(destination: NodeJS.WritableStream): destination is NodeJS.WritableStream & Stage {
	return 'readableLength' in destination && 'writableLength' in destination;
}

/**
 * Parts of chunks as the body of a request, to be piped to it. Gives the memory of a chunk back as soon as the chunk has left Node.
 * Left to V8, chunks gather until they are 64 MB, and then a full collection walks everything that n8n has in memory. V8's cheaper
 * collections often free none of them (docs/n8n-internals.md#chunk-memory).
 *
 * @param parts of the chunks, in order; nobody else refers to a chunk once its last part was read
 */
export function bodyStream(parts: AsyncIterable<Uint8Array>, readableClass: NodeReadableClass): NodeReadable {
	async function* givingBack(): AsyncGenerator<Uint8Array, void, undefined> {
		/** Chunks that were handed over whole, each with the offset of its end in the body. */
		const passed: Array<{ memory: ArrayBufferLike; end: number }> = [];
		let handedOver = 0;
		/** The chunk whose first byte was handed over last. */
		let begun: ArrayBufferLike | undefined;
		for await (const part of parts) {
			// The client asks for the next part only when all that was handed over is in its streams or beyond.
			const sentBytes = sent.of(handedOver);
			for (let [oldest] = passed; oldest && oldest.end <= sentBytes; [oldest] = passed) {
				passed.shift();
				giveBack(oldest.memory);
			}
			handedOver += part.length;
			const { buffer, byteOffset, length } = part;
			if (byteOffset === 0) begun = buffer;
			if (buffer === begun && byteOffset + length === buffer.byteLength)
				passed.push({ memory: buffer, end: handedOver });
			yield part;
		}
	}
	const stream = readableClass.from(givingBack(), { objectMode: false });
	const sent = new SentBytes(stream);
	return stream;
}
