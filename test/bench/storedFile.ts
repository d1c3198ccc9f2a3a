import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IBinaryData } from 'n8n-workflow';

/**
 * Puts a file into n8n's binary data in filesystem mode (`filesystem-v2`, BinaryDataBlobManager of n8n-core 2.41), and
 * returns the binary field of an item that holds it. The file is sparse: the disk's speed is not part of what is measured.
 */
export function storeSparseFile(userFolder: string, size: number): IBinaryData {
	const fileId = `workflows/benchmark/executions/1/binary_data/${size}`;
	const file = join(userFolder, '.n8n', 'storage', fileId);
	const described = { fileName: 'benchmark.mp4', mimeType: 'video/mp4' };
	// A new file would be new to the system's page cache, too.
	if (!existsSync(file)) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, '');
		truncateSync(file, size);
		writeFileSync(`${file}.metadata`, JSON.stringify({ ...described, fileSize: size }));
	}
	return { ...described, data: 'filesystem-v2', id: `filesystem-v2:${fileId}`, bytes: size };
}
