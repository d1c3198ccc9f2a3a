import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { exactly, skipping, type Source } from './source';
import { TransferFault } from './transferFault';

/**
 * Bytes per read. What an upload adds to n8n's memory grows with it: 6 MiB with 64 KiB, 18 to 43 MiB with 128 KiB, 109 MiB
 * with 1 MiB (test/endToEnd/upload.test.ts prints it); 32 MiB are promised. 128 KiB would save a fifth of the processor
 * time per gigabyte.
 */
const CHUNK_BYTES = 64 * 1024;

/** n8n's binary data in any of its modes: in memory, or stored and read through n8n's own stream. */
export async function binarySource(context: IExecuteFunctions, binaryData: IBinaryData): Promise<Source> {
	const { id, fileName } = binaryData;
	// In memory an item has no ID and holds the bytes as base64 (fact 10).
	if (id === undefined || id === '') return memorySource(Buffer.from(binaryData.data, 'base64'), fileName);

	const size = binaryData.bytes ?? (await context.helpers.getBinaryMetadata(id)).fileSize;
	return {
		size,
		fileName,
		bytes: (offset, signal) =>
			exactly(storedBytes(context, id, offset, signal), size - offset, "n8n's stored binary file"),
	};
}

function memorySource(content: Buffer, fileName?: string): Source {
	return {
		size: content.length,
		fileName,
		async *bytes(offset) {
			for (let start = offset; start < content.length; start += CHUNK_BYTES) {
				yield await Promise.resolve(content.subarray(start, start + CHUNK_BYTES));
			}
		},
	};
}

/** n8n's stream has no range read (fact 10): the bytes before the offset are read and dropped. */
async function* storedBytes(
	context: IExecuteFunctions,
	id: string,
	offset: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const stream = await context.helpers.getBinaryStream(id, CHUNK_BYTES).catch((error: unknown) => {
		throw new TransferFault(
			`n8n's stored binary file could not be opened (${error instanceof Error ? error.message : String(error)})`,
			true,
		);
	});
	const close = () => stream.destroy();
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) close();
	try {
		// A stream of n8n's binary data gives Buffers; Node's type says any.
		yield* skipping(stream as AsyncIterable<Uint8Array>, offset);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}
