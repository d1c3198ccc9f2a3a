import * as http from 'node:http';
import * as https from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import {
	badRequest,
	ErrorResponse,
	type Call,
	type Outcome,
	type RecordedRequest,
	type ResponseSpec,
	type ServiceParts,
} from './call';
import { afterBytesOf, applyFault, takeFault } from './faults';
import { findRoute, handlers, operations } from './operations';
import { useToken } from './tokens';

export function createServiceServer(parts: ServiceParts, control: http.RequestListener): http.Server {
	const { tls } = parts.settings;
	const listener: http.RequestListener = (req, res) =>
		void (req.url?.startsWith('/_control/') ? control(req, res) : serve(req, res, parts));
	// A fault may keep a request for longer than Node's own limits allow.
	const options = { requestTimeout: 0, headersTimeout: 0, ...tls };
	return tls ? https.createServer(options, listener) : http.createServer(options, listener);
}

async function serve(req: http.IncomingMessage, res: http.ServerResponse, parts: ServiceParts) {
	// Reading reports an aborted request; without a listener the error would end the process.
	req.on('error', () => undefined);
	res.on('error', () => undefined);
	const { method = '', headers } = req;
	const { pathname: path, searchParams } = new URL(req.url ?? '/', 'http://service');
	const { operation, segments } = findRoute(method, path);
	const query = Object.fromEntries(searchParams);
	const uploadId = segments.upload_id;
	const request: RecordedRequest = { operation, method, path, query, headers, at: Date.now(), uploadId };
	const { delayMs, fault } = takeFault(parts.faults, request);
	parts.requests.push(request);
	parts.changed();
	if (delayMs > 0) await sleep(delayMs);
	const call: Call = { ...parts, req, request, segments, applicationId: '', fault };
	const outcome = await decide(call).catch((thrown: unknown) => {
		const isOurs = thrown instanceof ErrorResponse;
		const error = isOurs ? thrown : new ErrorResponse(500, 'Internal Server Error', String(thrown));
		request.reason = error.reason;
		return { status: error.status, json: { error: error.error } };
	});
	if (outcome === 'reset') resetConnection(req);
	else if (outcome !== 'silence') {
		request.status = outcome.status;
		const body = setHead(res, outcome);
		const isSlow = fault?.kind === 'trickle';
		// Not until goDown(): a client that uses the connection again would write into what is closed.
		if (isSlow) res.setHeader('Connection', 'close');
		void send(req, res, body, isSlow ? fault.ms : 0);
	}
	parts.changed();
}

/** Token, headers and body are checked in this order. Throws the matching ErrorResponse. */
async function decide(call: Call): Promise<Outcome> {
	const { req, request, fault } = call;
	const { operation, headers } = request;
	// The operation itself receives the bytes of a video.
	const isPatch = operation === 'uploadPatch';
	const bytes = isPatch ? Buffer.alloc(0) : await buffer(req).catch(() => undefined);
	if (bytes === undefined) return 'reset';
	request.body = parseJson(bytes);
	const replaced = isPatch && afterBytesOf(fault) > 0 ? undefined : applyFault(call);
	if (replaced !== undefined) return replaced;
	if (operation === 'unknown') throw new ErrorResponse(404, 'Not Found');
	if (operation !== 'authenticate') call.applicationId = useToken(call);
	for (const [header, form] of Object.entries(operations[operation].headers)) {
		const value = String(headers[header.toLowerCase()] ?? '');
		if (!form.test(value)) throw badRequest(`${header}: "${value}" is not as documented`);
	}
	if (operation === 'videoThumbnail') request.form = await formOf(bytes, headers['content-type'] ?? '');
	const response = await handlers[operation](call);
	return fault?.kind === 'lostResponse' ? 'reset' : response;
}

/** Parsed JSON, or undefined when the bytes are not JSON. */
function parseJson(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

/** The parts of a multipart body. Throws 400 `Bad Request`. */
async function formOf(bytes: Buffer, contentType: string): Promise<RecordedRequest['form']> {
	const response = new Response(bytes, { headers: { 'Content-Type': contentType } });
	const form = await response.formData().catch((error: unknown) => {
		throw badRequest(`multipart body: ${String(error)}`);
	});
	const parts = [...form].map(async ([field, value]) => {
		const file = typeof value === 'string' ? new File([value], '') : value;
		const content = Buffer.from(await file.arrayBuffer());
		return { field, filename: file.name, contentType: file.type, bytes: content };
	});
	return await Promise.all(parts);
}

/** Sets status and headers, and returns the body. */
function setHead(res: http.ServerResponse, { status, json, text, headers = {} }: ResponseSpec): Buffer {
	const body = Buffer.from(text ?? (json === undefined ? '' : JSON.stringify(json)), 'utf8');
	res.statusCode = status;
	if (json !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
	if (status >= 200 && status !== 204 && status !== 304) res.setHeader('Content-Length', body.length);
	for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
	return body;
}

/**
 * Sends a body, with a pause before each byte if there is one. As web servers do, it first reads and discards what is still arriving
 * of the request's body. Closing with unread bytes resets the connection, and the client may miss the response.
 */
async function send(req: http.IncomingMessage, res: http.ServerResponse, body: Buffer, pauseMs: number) {
	if (pauseMs > 0 || !req.complete) res.flushHeaders();
	for (const byte of pauseMs > 0 ? body : []) {
		await sleep(pauseMs, undefined, { ref: false });
		if (res.destroyed) return;
		res.write(Buffer.of(byte));
	}
	if (pauseMs === 0 && body.length > 0) res.write(body);
	if (req.complete) res.end();
	else req.once('end', () => res.end()).resume();
}

function resetConnection({ socket }: http.IncomingMessage): void {
	// resetAndDestroy() works on plain TCP only.
	if ('encrypted' in socket) socket.destroy();
	else socket.resetAndDestroy();
}
