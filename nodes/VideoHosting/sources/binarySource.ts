import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { byteCount, errorMessage, excerpt, shortened } from '../shared/text';
import type { NodeReadable, NodeReadableClass } from '../transport/serviceRequest';
import { assertLength, skipBytes, type Source } from './source';
import { TransferError } from './transfer';

/**
 * Bytes per read. With a quarter of it, an upload of `npm run bench` is half as fast; with twice as much, little faster.
 */
const CHUNK_BYTES = 256 * 1024;

/** In this mode n8n's stream is one of Node's for files, which reads each chunk into new memory (docs/n8n-internals.md#binary-modes). */
const FILESYSTEM_ID = /^filesystem(-v2)?:/;

/**
 * n8n's binary data in any of its modes: in memory, or stored and read through n8n's own stream.
 *
 * @param binaryData of {@link binaryFile}
 * @throws TransferError when n8n does not have the file, or not its size
 */
export async function binarySource(context: IExecuteFunctions, binaryData: IBinaryData): Promise<Source> {
	const { fileName, mimeType } = binaryData;
	const label = fileName ? `The file "${shortened(fileName, 100)}"` : 'The file';
	// A Code node may leave null. In memory an item has no ID and holds the bytes as base64 (docs/n8n-internals.md#binary-modes).
	const id = binaryData.id ?? '';
	if (id === '') {
		const content = Buffer.from(binaryData.data, 'base64');
		const bytes = (offset: number) => ReadableStream.from([content.subarray(offset)]);
		return { size: content.length, fileName, mimeType, label, isImmutable: true, bytes };
	}

	const size =
		byteCount(binaryData.bytes) ??
		byteCount((await context.helpers.getBinaryMetadata(id).catch(throwAsRead)).fileSize);
	if (size === undefined)
		throw new TransferError(`${label} has no size in n8n`, false, 'Check the node that creates the file.');
	const source: Source & { readableClass?: NodeReadableClass } = {
		size,
		fileName,
		mimeType,
		label,
		// n8n never changes a stored file.
		isImmutable: true,
		bytes: (offset, signal) =>
			assertLength(skipBytes(read(signal), offset), size - offset, { what: "n8n's stored binary file" }),
	};
	/** All bytes of the file: n8n's stream has no range (docs/n8n-internals.md#binary-streams). */
	async function* read(signal: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
		const stream = await context.helpers.getBinaryStream(id, CHUNK_BYTES).catch(throwAsRead);
		if (FILESYSTEM_ID.test(id)) source.readableClass = readableClassOf(stream);
		const close = () => stream.destroy();
		signal.addEventListener('abort', close);
		if (signal.aborted) close();
		try {
			// A stream of n8n's binary data yields Buffers; Node's type is `any`.
			yield* stream as AsyncIterable<Uint8Array>;
		} catch (error) {
			// n8n 1.x opens the file with the first read.
			throwAsRead(error);
		} finally {
			signal.removeEventListener('abort', close);
			close();
		}
	}
	return source;
}

/**
 * Throws the error for a stored file that cannot be read. n8n may have deleted it with its execution while the upload waited. n8n's
 * storages report a file that is gone by these messages, and the file system by ENOENT (n8n-core 2.41.1
 * dist/errors/file-not-found.error.js, binary-data-file-not-found.error.js).
 */
function throwAsRead(error: unknown): never {
	const message = errorMessage(error);
	throw /file not found|ENOENT/i.test(message)
		? new TransferError(
				'n8n no longer has the file',
				false,
				"It deletes an execution's files with the execution: keep that one until the upload has ended.",
			)
		: new TransferError(
				`n8n's stored binary file could not be read (${excerpt(message)})`,
				true,
				'Try again later.',
			);
}

/** Node's own class, which its streams of files extend. */
function readableClassOf(stream: NodeReadable): NodeReadableClass | undefined {
	// A prototype's constructor is typed as a function without properties.
	const { from } = stream.constructor as Partial<NodeReadableClass>;
	return typeof from === 'function' ? { from: from.bind(stream.constructor) } : undefined;
}
