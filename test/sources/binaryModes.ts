import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';

import type { BinaryDataService } from 'n8n-core';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';

import { binaryDataService } from '../execution/n8nCore';
import { itemWithFile, itemWithFileInMemory } from '../execution/executeNode';

const keynote = { fileName: 'keynote.mp4', mimeType: 'video/mp4' };

type Manager = Parameters<BinaryDataService['setManager']>[1];

/** How a mode returns a file as a stream, as n8n's own manager of that mode does. */
export const modeStreams = {
	/** The whole file in one chunk, whatever chunk size is requested (docs/n8n-internals.md#binary-streams). */
	database: (content: Buffer) => Readable.from([content], { objectMode: false }),
	/** Chunks of the network's making, behind a pause. */
	s3: (content: Buffer) => Readable.from(networkChunks(content), { objectMode: false }),
};

type ItemOf = (content: Buffer) => INodeExecutionData | Promise<INodeExecutionData>;

/** An item with a file named `keynote.mp4`, by the mode in which n8n keeps its content. */
export const itemByMode: Record<'memory' | 'filesystem' | 'database' | 's3', ItemOf> = {
	memory: (content) => itemWithFileInMemory(content, keynote),
	filesystem: async (content) => await itemWithFile(content, keynote),
	database: async (content) => await itemInMode('database', content, keynote.fileName),
	s3: async (content) => await itemInMode('s3', content, keynote.fileName),
};

/** An item whose file is kept by a manager of a mode that n8n itself needs a database or a licence for. */
async function itemInMode(
	mode: keyof typeof modeStreams,
	content: Buffer,
	fileName: string,
): Promise<INodeExecutionData> {
	return await itemReadBy(mode, { size: content.length, fileName, open: () => modeStreams[mode](content) });
}

/** An item whose file is whatever `open` streams, each time it is opened. */
export async function itemReadBy(
	mode: string,
	{ size, fileName, open }: { size: number; fileName: string; open: () => Readable },
): Promise<INodeExecutionData> {
	const rejectCall = () => Promise.reject(new Error('The upload reads the file as a stream'));
	const manager: Manager = {
		init: () => Promise.resolve(),
		store: rejectCall,
		getPath: (fileId) => fileId,
		getAsBuffer: rejectCall,
		getAsStream: () => Promise.resolve(open()),
		getMetadata: () => Promise.resolve({ fileSize: size, fileName }),
		copyByFileId: rejectCall,
		copyByFilePath: rejectCall,
		rename: rejectCall,
	};
	// The service's type lists n8n's own modes; it accepts any.
	(await binaryDataService()).setManager(mode as Parameters<BinaryDataService['setManager']>[0], manager);
	const binary: IBinaryData = {
		id: `${mode}:${randomUUID()}`,
		data: mode,
		mimeType: 'video/mp4',
		fileName,
		bytes: size,
	};
	return { json: {}, binary: { data: binary } };
}

async function* networkChunks(content: Buffer): AsyncGenerator<Buffer> {
	for (let start = 0, length = 1; start < content.length; start += length, length = (length * 7) % 65_537) {
		await Promise.resolve();
		yield content.subarray(start, start + length);
	}
}
