import { createCipheriv, createHash } from 'node:crypto';

import type { INodeExecutionData } from 'n8n-workflow';

import { itemByMode } from '../../sources/binaryModes';
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
 * @param started gets the web server of a URL source
 */
export async function inputItem(
	{ mode, name, web }: Item,
	content: Buffer,
	started: FileServer[],
): Promise<INodeExecutionData> {
	if (mode !== 'url') return await itemByMode[mode](content, name);
	const served = await startFileServer(content);
	started.push(served);
	const etag = `"${createHash('sha256').update(content).digest('hex')}"`;
	Object.assign(served, {
		etag: { strong: etag, weak: `W/${etag}`, none: undefined }[web.validator],
		ranges: web.ranges,
		// The first request is for the size.
		breaksOffAfter: [Infinity, ...web.breaksOffAfter],
	});
	return { json: { url: `${served.origin}/${name}` } };
}
