import { randomBytes } from 'node:crypto';
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';

import { listen, stopListening } from '../fakeService/listen';

/** A file as a well-behaved web server serves it. May be changed while the server runs. */
class ServedFile {
	constructor(public content: Buffer) {}

	/** Undefined for none. */
	etag: string | undefined = '"v1"';

	/** Whether the server supports Range. */
	ranges = true;

	/** Response headers, which replace its own; '' removes one. */
	headers: Record<string, string> = {};

	/** Whether it sends Content-Length (206 with its total length included). */
	lengths = true;

	/** Status of the next responses to GET; 200 (or 206) once they are used up. */
	statuses: number[] = [];

	/** Body of a response with another status; `null` for one that never comes. */
	rejection: string | null = '<html>rejected</html>';

	/** The next responses with a body break off after so many bytes of it; `Infinity` for none, as for one that the client closes after its headers. */
	breaksOffAfter: number[] = [];

	/** Most bytes of one 206; a longer range is shortened (RFC 9110 §14.4), and Content-Range shows which bytes it has. */
	longestRange = Infinity;

	/** Status of its responses to requests with Range; undefined when it accepts them. */
	rejectsRanges: number | undefined;

	/** Its ranges begin where a block of so many bytes does, as those of a cache. */
	blockBytes = 1;

	/** Its ranges begin so many bytes too late. */
	lateBytes = 0;

	/** Whether `/moved…` sets a cookie, and redirects to the file only who sends it. */
	wantsCookie = false;

	/** Called before each 64 KiB of a body, with its offset in the file; the body waits for it. */
	beforeBytes: ((offset: number) => Promise<void>) | undefined;

	/** Where `/moved…` redirects to; the file by default. */
	movedTo: string | undefined;

	/** Requests as they arrived. */
	readonly requests: Array<{ method: string; headers: IncomingHttpHeaders }> = [];
}

export type FileServer = Awaited<ReturnType<typeof startFileServer>>;

/** The web server of the test that runs, in a file that calls {@link fileServerForEachTest}. */
export let files: FileServer;

/** Starts a web server with a file of random bytes before each test and closes it after the test. */
export function fileServerForEachTest(size = 1_000_000): void {
	beforeEach(async () => {
		files = await startFileServer(randomBytes(size));
	});
	afterEach(async () => {
		await files.close();
	});
}

/** A web server with one file; with a key and a certificate, over https. */
export async function startFileServer(content: Buffer, tls?: { key: Buffer; cert: Buffer }) {
	const file = new ServedFile(content);
	const listener: RequestListener = (request, response) => {
		file.requests.push({ method: request.method ?? '', headers: request.headers });
		if (!request.url?.startsWith('/moved')) respond(file, request, response);
		else redirect(request, response);
	};
	const server = tls ? createTlsServer(tls, listener) : createServer(listener);
	const origin = `http${tls ? 's' : ''}://127.0.0.1:${await listen(server)}`;
	const url = `${origin}/videos/keynote%202026.mp4?signature=very-secret`;
	function redirect({ headers, url: path }: IncomingMessage, response: ServerResponse): void {
		const isKnown = !file.wantsCookie || headers.cookie === 'session=a=b; seen=1';
		if (!isKnown)
			response.setHeader('Set-Cookie', ['session=a=b; Path=/; HttpOnly', 'seen=1; Domain=.example.com']);
		const target = isKnown ? (file.movedTo ?? url) : path;
		response.writeHead(302, { Location: target }).end(file.content);
	}
	const accepted: unknown[] = [];
	server.on('connection', (socket) => accepted.push(socket));
	return Object.assign(file, {
		origin,
		url,
		close: async () => await stopListening(server),
		/** All connections so far. */
		accepted,
		/** How many connections are open. */
		connections: async () => await promisify(server.getConnections.bind(server))(),
	});
}

function respond(file: ServedFile, { headers }: IncomingMessage, response: ServerResponse): void {
	const rejected = headers.range === undefined ? undefined : file.rejectsRanges;
	const status = file.statuses.shift() ?? rejected ?? 200;
	if (status !== 200) {
		response.writeHead(status, { 'Content-Type': 'text/html', ...file.headers }).flushHeaders();
		if (file.rejection !== null) response.end(file.rejection);
		return;
	}
	const { content } = file;
	const range = file.ranges ? requestedRange(file, headers) : undefined;
	const { start, last } = range ?? { start: 0, last: Infinity };
	const longest = range ? file.longestRange : Infinity;
	const part = content.subarray(start, Math.min(last + 1, start + longest));
	const isSatisfiable = !range || part.length > 0;
	const bytes = isSatisfiable ? `${start}-${start + part.length - 1}` : '*';
	const fields = {
		ETag: file.etag,
		'Content-Length': file.lengths ? part.length : undefined,
		'Content-Range': range && `bytes ${bytes}/${content.length}`,
		...file.headers,
	};
	for (const [name, value] of Object.entries(fields)) {
		if (value !== undefined && value !== '') response.setHeader(name, value);
	}
	response.writeHead(!isSatisfiable ? 416 : range ? 206 : 200);
	const after = isSatisfiable ? (file.breaksOffAfter.shift() ?? Infinity) : Infinity;
	const { beforeBytes } = file;
	if (beforeBytes) Readable.from(paced(part, start, beforeBytes)).pipe(response);
	else if (after === Infinity) response.end(part);
	else response.write(part.subarray(0, after), () => response.destroy());
}

async function* paced(part: Buffer, start: number, beforeBytes: (offset: number) => Promise<void>) {
	for (let sent = 0; sent < part.length; sent += 65_536) {
		await beforeBytes(start + sent);
		yield part.subarray(sent, sent + 65_536);
	}
}

/** The range to respond with; undefined for the whole file (RFC 9110 §13.1.5). */
function requestedRange(
	{ blockBytes, etag, lateBytes }: ServedFile,
	{ range, 'if-range': ifRange }: IncomingHttpHeaders,
) {
	const [, start, last] = /^bytes=(\d+)-(\d*)$/.exec(range ?? '') ?? [];
	if (start === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
	const begin = Number(start) - (Number(start) % blockBytes) + (Number(start) > 0 ? lateBytes : 0);
	return { start: begin, last: last ? Number(last) : Infinity };
}
