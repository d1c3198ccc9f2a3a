import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';

/** One file, and how a web server responds to requests for it. May be changed while the server runs. */
interface ServedFile {
	content: Buffer;
	/** Undefined for none. */
	etag: string | undefined;
	/** Whether it supports Range. */
	ranges: boolean;
	/** Whether it sends Content-Length (206 with its total length included). */
	lengths: boolean;
	/** Whether it sends the file with gzip, whatever a client accepts. */
	gzip: boolean;
	/** Response headers, which replace its own; '' removes one. */
	headers: Record<string, string>;
	/** Status of the next responses to GET; 200 (or 206) once they are used up. */
	statuses: number[];
	/** The next responses with a body break off after so many bytes of it; `Infinity` for none, as for one that the client closes after its headers. */
	breaksOffAfter: number[];
	/** Most bytes of one 206; a longer range is shortened (RFC 9110 §14.4), and Content-Range shows which bytes it has. */
	longestRange: number;
	/** Called before each 64 KiB of a body, with its offset in the file; the body waits for it. */
	beforeBytes: ((offset: number) => Promise<void>) | undefined;
}

/** A web server with one file. */
export interface FileServer extends ServedFile {
	readonly origin: string;
	readonly url: string;
	/** Where `/moved…` redirects to. */
	movedTo: string;
	/** Requests as they arrived. */
	readonly requests: Array<{ method: string; url: string; headers: IncomingHttpHeaders }>;
	close(): Promise<void>;
}

export async function startFileServer(content: Buffer): Promise<FileServer> {
	const server = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		files.requests.push({ method, url, headers });
		if (url.startsWith('/moved')) response.writeHead(302, { Location: files.movedTo }).end();
		else respond(files, request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo.
	const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const url = `${origin}/videos/keynote%202026.mp4?signature=very-secret`;
	const files: FileServer = {
		...servedFile(content),
		origin,
		url,
		movedTo: url,
		requests: [],
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return files;
}

/** A file as a well-behaved web server serves it. */
function servedFile(content: Buffer): ServedFile {
	return {
		content,
		etag: '"v1"',
		ranges: true,
		lengths: true,
		gzip: false,
		headers: {},
		statuses: [],
		breaksOffAfter: [],
		longestRange: Infinity,
		beforeBytes: undefined,
	};
}

function respond(files: ServedFile, { headers }: IncomingMessage, response: ServerResponse): void {
	const status = files.statuses.shift() ?? 200;
	if (status >= 204) {
		const page = status === 204 ? '' : '<html>rejected</html>';
		response.writeHead(status, { 'Content-Type': 'text/html' }).end(page);
		return;
	}
	const content = files.gzip ? gzipSync(files.content) : files.content;
	const range = files.ranges ? requestedRange(files, headers) : undefined;
	const start = range?.start ?? 0;
	const longest = range ? start + files.longestRange - 1 : Infinity;
	const last = Math.min(range?.last ?? Infinity, longest, content.length - 1);
	const isSatisfiable = range === undefined || start < content.length;
	const part = content.subarray(start, last + 1);
	const contentRange = isSatisfiable
		? `bytes ${start}-${last}/${content.length}`
		: `bytes */${content.length}`;
	const fields: Record<string, string | number | undefined> = {
		ETag: files.etag,
		'Content-Encoding': files.gzip ? 'gzip' : undefined,
		'Content-Length': !files.lengths ? undefined : isSatisfiable ? part.length : 0,
		'Content-Range': range && contentRange,
		...files.headers,
	};
	for (const [name, value] of Object.entries(fields)) {
		if (value !== undefined && value !== '') response.setHeader(name, value);
	}
	response.writeHead(!isSatisfiable ? 416 : range ? 206 : 200);
	if (!isSatisfiable) {
		response.end();
		return;
	}
	const after = files.breaksOffAfter.shift() ?? Infinity;
	const { beforeBytes } = files;
	if (beforeBytes) Readable.from(paced(part, start, beforeBytes)).pipe(response);
	else if (after === Infinity) response.end(part);
	else response.write(part.subarray(0, after), () => response.destroy());
}

async function* paced(
	part: Buffer,
	start: number,
	beforeBytes: (offset: number) => Promise<void>,
): AsyncGenerator<Buffer> {
	for (let sent = 0; sent < part.length; sent += 65_536) {
		await beforeBytes(start + sent);
		yield part.subarray(sent, sent + 65_536);
	}
}

/** The range to respond with; undefined for the whole file (RFC 9110 §13.1.5). */
function requestedRange(
	{ etag }: ServedFile,
	{ range, 'if-range': ifRange }: IncomingHttpHeaders,
): { start: number; last: number } | undefined {
	const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
	if (start === undefined) return undefined;
	if (ifRange !== undefined && ifRange !== etag) return undefined;
	return { start: Number(start), last: last === undefined || last === '' ? Infinity : Number(last) };
}
