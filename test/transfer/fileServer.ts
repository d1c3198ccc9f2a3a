import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A web server with one file, and the habits that web servers have. May be changed while it runs. */
export interface FileServer {
	readonly origin: string;
	readonly url: string;
	content: Buffer;
	/** Undefined for none. */
	etag: string | undefined;
	/** Whether it honours Range. */
	ranges: boolean;
	/** Whether it says Content-Length (206 with its total length included). */
	lengths: boolean;
	/** Status of every answer to HEAD. */
	headStatus: number;
	/** Status of the next answers to GET; 200 (or 206) once they are used up. */
	statuses: number[];
	/** The next answers to GET break off after so many bytes of the body. */
	breaksOffAfter: number[];
	/** Requests as they arrived. */
	readonly requests: Array<{ method: string; url: string; headers: IncomingHttpHeaders }>;
	close(): Promise<void>;
}

export async function startFileServer(content: Buffer): Promise<FileServer> {
	const server = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		files.requests.push({ method, url, headers });
		if (url.startsWith('/moved')) {
			response.writeHead(302, { Location: files.url }).end();
		} else {
			const ifRange = headers['if-range'];
			answer(files, method, headers.range, typeof ifRange === 'string' ? ifRange : undefined, response);
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const files: FileServer = {
		origin,
		url: `${origin}/videos/keynote%202026.mp4?signature=very-secret`,
		content,
		etag: '"v1"',
		ranges: true,
		lengths: true,
		headStatus: 200,
		statuses: [],
		breaksOffAfter: [],
		requests: [],
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return files;
}

function answer(
	files: FileServer,
	method: string,
	range: string | undefined,
	ifRange: string | undefined,
	response: ServerResponse,
): void {
	const status = method === 'HEAD' ? files.headStatus : (files.statuses.shift() ?? 200);
	if (status >= 400) {
		response
			.writeHead(status, { 'Content-Type': 'text/html' })
			.end(method === 'HEAD' ? '' : '<html>refused</html>');
		return;
	}
	const offset = Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0);
	const isPart = files.ranges && range !== undefined && (ifRange === undefined || ifRange === files.etag);
	const part = isPart ? files.content.subarray(offset) : files.content;
	const size = files.content.length;
	response.writeHead(isPart ? 206 : 200, {
		...(files.etag === undefined ? {} : { ETag: files.etag }),
		...(files.lengths ? { 'Content-Length': part.length } : {}),
		...(isPart ? { 'Content-Range': `bytes ${offset}-${size - 1}/${size}` } : {}),
	});
	if (method === 'HEAD') {
		response.end();
		return;
	}
	const after = files.breaksOffAfter.shift();
	if (after === undefined) response.end(part);
	else response.write(part.subarray(0, after), () => response.destroy());
}
