import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IBinaryData } from 'n8n-workflow';

/**
 * Puts a file into n8n's binary data in filesystem mode (`filesystem-v2`, BinaryDataBlobManager of n8n-core 2.41), and
 * returns what an item that holds it has as its binary field. The file is sparse: it takes no room on the disk and the
 * disk's speed is not part of what is measured; n8n reads it like any other.
 */
export function storeSparseFile(userFolder: string, size: number): IBinaryData {
	const fileId = `workflows/benchmark/executions/1/binary_data/${size}`;
	const described = { fileName: 'benchmark.mp4', mimeType: 'video/mp4' };
	const file = storedFilePath(userFolder, size);
	// A new file would be new to the system's page cache, too.
	if (!existsSync(file)) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, '');
		truncateSync(file, size);
		writeFileSync(`${file}.metadata`, JSON.stringify({ ...described, fileSize: size }));
	}
	return {
		...described,
		data: 'filesystem-v2',
		id: `filesystem-v2:${fileId}`,
		bytes: size,
		fileSize: String(size),
		fileExtension: 'mp4',
		fileType: 'video',
	};
}

/** Where {@link storeSparseFile} puts a file of this size. */
export function storedFilePath(userFolder: string, size: number): string {
	return join(userFolder, '.n8n', 'storage', 'workflows/benchmark/executions/1/binary_data', String(size));
}
