import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../../service/errorMessage';
import { paceScavenges } from './scavengePacer';
import { assertLength, skipBytes, type Source } from './source';
import { TransferError } from '../recovery/transferError';

/**
 * Bytes per read. A quarter of it halves the speed of an upload; twice as much gains little
 * (docs/benchmarks.md).
 */
const CHUNK_BYTES = 256 * 1024;

/** n8n's binary data in any of its modes: in memory, or stored and read through n8n's own stream. */
export async function binarySource(context: IExecuteFunctions, binaryData: IBinaryData): Promise<Source> {
	const { id, fileName } = binaryData;
	// In memory an item has no ID and holds the bytes as base64 (docs/n8n-internals.md#binary-modes).
	if (id === undefined || id === '') return memorySource(Buffer.from(binaryData.data, 'base64'), fileName);

	const size = binaryData.bytes ?? (await context.helpers.getBinaryMetadata(id)).fileSize;
	return {
		size,
		fileName,
		// n8n never changes a stored file.
		isProvenUnchanged: true,
		bytes: (offset, signal, onSkipped) => {
			const rest = skipBytes(storedBytes(context, id, signal), offset, onSkipped);
			return assertLength(rest, size - offset, "n8n's stored binary file");
		},
	};
}

function memorySource(content: Buffer, fileName?: string): Source {
	return {
		size: content.length,
		fileName,
		isProvenUnchanged: true,
		async *bytes(offset) {
			for (let start = offset; start < content.length; start += CHUNK_BYTES) {
				yield await Promise.resolve(content.subarray(start, start + CHUNK_BYTES));
			}
		},
	};
}

/** All bytes of the file: n8n's stream has no range (docs/n8n-internals.md#binary-streams). */
async function* storedBytes(
	context: IExecuteFunctions,
	id: string,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const stream = await context.helpers.getBinaryStream(id, CHUNK_BYTES).catch((error: unknown) => {
		throw new TransferError(`n8n's stored binary file could not be opened (${errorMessage(error)})`, true);
	});
	const close = () => stream.destroy();
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) close();
	try {
		// A stream of n8n's binary data yields Buffers; Node's type is `any`.
		yield* paceScavenges(stream as AsyncIterable<Uint8Array>);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}
