import { createCipheriv, createHash } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import { itemWithFile, itemWithFileInMemory } from '../../execution/executeNode';
import { itemReadBy, modeStreams } from '../../sources/binaryModes';
import { startFileServer, type FileServer } from '../../sources/fileServer';
import type { Item, PoolFile, Sequence } from './sequence';

/** Content of a file of the pool: random bytes that its seed determines. */
export function contentOf({ sizes, contentSeed }: Sequence, { name, sizeClass, variant }: PoolFile): Buffer {
	const size = sizes[sizeClass] ?? 0;
	const key = createHash('md5').update(`${contentSeed} ${name} ${sizeClass}`).digest();
	const content = createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
	if (variant === 1) content.subarray(Math.floor(size / 2)).reverse();
	const last = content.at(-1);
	// One byte that differs anywhere is as wrong as many.
	if (variant === 2 && last !== undefined) {
		const position = contentSeed % size;
		content[position] = (content[position] ?? 0) ^ 1;
	}
	return content;
}

/**
 * The input item for a file.
 *
 * @param position in the run; a storage mode that a test registers serves one file
 * @param started gets the web server of a URL source
 */
export async function inputItem(
	item: Item,
	content: Buffer,
	position: number,
	started: FileServer[],
): Promise<INodeExecutionData> {
	const file = { fileName: item.name, mimeType: 'video/mp4' };
	const sha256 = createHash('sha256').update(content).digest('hex');
	switch (item.mode) {
		case 'memory':
			return itemWithFileInMemory(content, file);
		case 'filesystem':
			return await itemWithFile(content, file);
		case 'database':
		case 's3': {
			const open = () => modeStreams[item.mode === 's3' ? 's3' : 'database'](content);
			return await itemReadBy(`${item.mode}-${position}`, {
				size: content.length,
				fileName: item.name,
				open,
			});
		}
		case 'url': {
			const { validator, ranges, breaksOffAfter } = item.web;
			const served = await startFileServer(content);
			started.push(served);
			Object.assign(served, {
				etag: { strong: `"${sha256}"`, weak: `W/"${sha256}"`, none: undefined }[validator],
				ranges,
				// The first request is for the size.
				breaksOffAfter: [Infinity, ...breaksOffAfter],
			});
			return { json: { url: `${served.origin}/${item.name}` } };
		}
	}
}
