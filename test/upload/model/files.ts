import { createCipheriv, createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { INodeExecutionData } from 'n8n-workflow';

import { itemWithFile, itemWithFileInMemory } from '../../execution/executeNode';
import { itemReadBy, modeStreams } from '../../sources/binaryModes';
import { respond, servedFile, type ServedFile } from '../../sources/fileServer';
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

/** A web server for the files of URL sources. */
export interface WebServer {
	/** @returns the address of a file that is served from now on */
	serve(file: ServedFile, name: string): string;
	close(): Promise<void>;
}

export async function startWebServer(): Promise<WebServer> {
	const files = new Map<string, ServedFile>();
	const server = createServer((request, response) => {
		const file = files.get(request.url ?? '');
		if (file) respond(file, request, response);
		else response.writeHead(404).end();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo.
	const { port } = server.address() as AddressInfo;
	return {
		serve: (file, name) => {
			const path = `/${files.size}/${name}`;
			files.set(path, file);
			return `http://127.0.0.1:${port}${path}`;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/**
 * The input item for a file.
 *
 * @param position in the run; a storage mode that a test registers serves one file
 */
export async function inputItem(
	item: Item,
	content: Buffer,
	position: number,
	web: WebServer,
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
			// A date for each content, long ago, so that it is a strong validator.
			const date = new Date(parseInt(sha256.slice(0, 7), 16) * 1000).toUTCString();
			const served: ServedFile = {
				...servedFile(content),
				etag: { strong: `"${sha256}"`, weak: `W/"${sha256}"`, lastModified: undefined, none: undefined }[
					validator
				],
				lastModified: validator === 'lastModified' ? date : undefined,
				ranges,
				breaksOffAfter: [...breaksOffAfter],
			};
			return { json: { url: web.serve(served, item.name) } };
		}
	}
}
