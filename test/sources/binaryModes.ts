import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import type { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import { binaryDataService } from '../execution/n8nCore';
import { itemWithFile, itemWithFileInMemory } from '../execution/executeNode';

const mimeType = 'video/mp4';

type SetManager = Parameters<BinaryDataService['setManager']>;

type ItemOf = (content: Buffer, fileName?: string) => INodeExecutionData | Promise<INodeExecutionData>;

/** An item with a file, by the mode in which n8n keeps its content. */
export const itemByMode: Record<'memory' | 'filesystem' | 'database' | 's3', ItemOf> = {
	memory: (content, fileName = 'keynote.mp4') => itemWithFileInMemory(content, { fileName, mimeType }),
	filesystem: async (content, fileName = 'keynote.mp4') =>
		await itemWithFile(content, { fileName, mimeType }),
	/** The whole file in one chunk, whatever chunk size is requested (docs/n8n-internals.md#binary-streams). */
	database: async (content, fileName) =>
		await itemReadBy(content.length, () => streamOf([content]), fileName),
	/** Chunks of the network's making, behind a pause. */
	s3: async (content, fileName) =>
		await itemReadBy(content.length, () => streamOf(networkChunks(content)), fileName),
};

/** A stream of bytes, as n8n's stored files are. */
export function streamOf(chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Readable {
	return Readable.from(chunks, { objectMode: false });
}

/** An item whose file is whatever `open` streams, each time it is opened: a storage mode of its own has the file. */
export async function itemReadBy(
	bytes: number,
	open: () => Readable | Promise<Readable>,
	fileName = 'keynote.mp4',
): Promise<INodeExecutionData> {
	// The service's types list n8n's own modes, and managers that do more than the upload asks for.
	const [mode, manager] = [`test-${randomUUID()}`, { getAsStream: () => Promise.resolve(open()) }];
	(await binaryDataService()).setManager(mode as SetManager[0], manager as unknown as SetManager[1]);
	return { json: {}, binary: { data: { id: `${mode}:1`, data: mode, mimeType, fileName, bytes } } };
}

async function* networkChunks(content: Buffer): AsyncGenerator<Buffer> {
	for (let start = 0, length = 1; start < content.length; start += length, length = (length * 7) % 65_537) {
		await Promise.resolve();
		yield content.subarray(start, start + length);
	}
}
