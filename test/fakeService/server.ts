import {
	createServer as createHttpServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

import { badRequest, ErrorResponse, type Call, type ResponseSpec } from './call';
import type { ActiveFault, Faults } from './faults';
import { checkHeaders, findRoute, operations, type OperationName } from './operations';
import type { FormFile, RecordedRequest } from './recording';
import { admitPatch, receivePatch, tusResponse } from './uploads';

interface ServiceParts extends Pick<Call, 'settings' | 'state' | 'tokens'> {
	faults: Faults;
	/** In order of arrival. */
	requests: RecordedRequest[];
	/** To be called at each request, chunk of a video and response. */
	changed: () => void;
}

/** The outcome of a request: a response, a reset connection, or silence. */
type Outcome = ResponseSpec | 'reset' | 'silence';

interface Exchange extends Call, Pick<ServiceParts, 'changed'> {
	req: IncomingMessage;
	fault: ActiveFault | undefined;
}

export function createServiceServer(parts: ServiceParts): Server {
	const { tls } = parts.settings;
	const listener = (req: IncomingMessage, res: ServerResponse) => void serve(req, res, parts);
	const server = tls === undefined ? createHttpServer(listener) : createHttpsServer(tls, listener);
	// A fault may keep a request for longer than Node's own limits allow.
	server.requestTimeout = 0;
	server.headersTimeout = 0;
	return server;
}

async function serve(req: IncomingMessage, res: ServerResponse, parts: ServiceParts): Promise<void> {
	const { faults, requests, changed, ...rest } = parts;
	// The `close` event reports an aborted request; without a listener the error would end the process.
	req.on('error', () => undefined);
	res.on('error', () => undefined);
	const url = new URL(req.url ?? '/', 'http://service');
	const { operation, segments } = findRoute(req.method ?? '', url.pathname);
	const request: RecordedRequest = {
		operation,
		method: req.method ?? '',
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: req.headers,
		body: undefined,
		status: undefined,
		at: Date.now(),
		uploadId: segments.upload_id,
	};
	const { delayMs, fault } = faults.actionFor(request);
	requests.push(request);
	changed();
	if (delayMs > 0) await sleep(delayMs);
	const call = { request, segments, applicationId: '', ...rest };
	const outcome = await decide({ ...call, req, fault, changed }).catch((thrown: unknown) => {
		const error =
			thrown instanceof ErrorResponse
				? thrown
				: new ErrorResponse(500, 'Internal Server Error', String(thrown));
		request.reason = error.reason;
		return { status: error.status, json: { error: error.error } };
	});
	if (outcome === 'reset') resetConnection(req);
	else if (outcome !== 'silence') {
		request.status = outcome.status;
		const body = setHead(res, outcome);
		if (fault?.kind === 'trickle') void trickle(res, body, fault.ms);
		else send(req, res, body);
	}
	changed();
}

async function decide(exchange: Exchange): Promise<Outcome> {
	const { req, request, fault } = exchange;
	const { operation } = request;
	if (operation === 'uploadPatch') return await decidePatch(exchange);
	const bytes = await buffer(req).catch(() => undefined);
	if (bytes === undefined) return 'reset';
	request.body = parseJson(bytes);
	const replaced = applyFault(exchange);
	if (replaced !== undefined) return replaced;
	if (operation === 'unknown') throw new ErrorResponse(404, 'Not Found');
	authorize(exchange, operation);
	if (operation === 'videoThumbnail') {
		request.form = await formOf(bytes, req.headers['content-type'] ?? '');
	}
	const response = await operations[operation].handle(exchange);
	return fault?.kind === 'lostResponse' ? 'reset' : response;
}

async function decidePatch(exchange: Exchange): Promise<Outcome> {
	const { req, fault, changed, settings, tokens } = exchange;
	const stopAfter = (fault !== undefined && 'afterBytes' in fault && fault.afterBytes) || Infinity;
	const replacedAtOnce = stopAfter === Infinity ? applyFault(exchange) : undefined;
	if (replacedAtOnce !== undefined) return replacedAtOnce;
	authorize(exchange, 'uploadPatch');
	const upload = await admitPatch(exchange);
	const limits = { stopAfter, storeAtMost: fault?.kind === 'storeFewer' ? fault.bytes : Infinity };
	const end = await receivePatch(req, upload, limits, exchange, changed);
	if (end === 'aborted' || fault?.kind === 'lostResponse') return 'reset';
	if (end === 'stopped') {
		const replaced = applyFault(exchange);
		if (replaced !== undefined) return replaced;
		tokens.use(req.headers.authorization, settings);
	}
	const offset = { 'Upload-Offset': String(upload.offset) };
	return tusResponse(upload, exchange, settings.patchReturnsOffset ? offset : {});
}

/** Applies a fault that occurs before the operation. Returns the outcome that replaces the operation, or undefined. */
function applyFault({ req, segments, fault, state, tokens }: Exchange): Outcome | undefined {
	switch (fault?.kind) {
		case 'reset':
			return 'reset';
		case 'hang':
			return 'silence';
		case 'status': {
			const { status, headers, error = `Injected fault ${status}`, body = { error } } = fault;
			return { status, headers, ...(typeof body === 'string' ? { text: body } : { json: body }) };
		}
		case 'redirect':
			return { status: fault.status ?? 307, headers: { Location: fault.to } };
		case 'forget':
			state.uploads = state.uploads.filter(({ id }) => id !== segments.upload_id);
			return undefined;
		case 'expireToken':
			tokens.revoke(req.headers.authorization);
			return undefined;
		default:
			return undefined;
	}
}

/** Checks token and headers. Throws the matching ErrorResponse. */
function authorize(exchange: Exchange, operation: OperationName): void {
	const { req, settings, tokens } = exchange;
	if (operation !== 'authenticate') {
		exchange.applicationId = tokens.use(req.headers.authorization, settings);
	}
	checkHeaders(operation, req.headers);
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
async function formOf(bytes: Buffer, contentType: string): Promise<FormFile[]> {
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
function setHead(res: ServerResponse, { status, json, text, headers = {} }: ResponseSpec): Buffer {
	const body = Buffer.from(text ?? (json === undefined ? '' : JSON.stringify(json)), 'utf8');
	res.statusCode = status;
	if (json !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
	if (status >= 200 && status !== 204 && status !== 304) res.setHeader('Content-Length', body.length);
	for (const [name, value] of Object.entries(headers)) res.setHeader(name, value);
	return body;
}

/**
 * Sends a body. As web servers do, it first reads and discards what is still arriving of the request's body. Closing with unread
 * bytes resets the connection, and the client may miss the response.
 */
function send(req: IncomingMessage, res: ServerResponse, body: Buffer): void {
	if (req.complete) {
		res.end(body);
		return;
	}
	res.flushHeaders();
	if (body.length > 0) res.write(body);
	req.once('end', () => res.end());
	req.resume();
}

async function trickle(res: ServerResponse, body: Buffer, ms: number): Promise<void> {
	res.flushHeaders();
	for (const byte of body) {
		await sleep(ms, undefined, { ref: false });
		if (res.destroyed) return;
		res.write(Buffer.of(byte));
	}
	res.end();
}

function resetConnection({ socket }: IncomingMessage): void {
	// resetAndDestroy() works on plain TCP only.
	if ('encrypted' in socket) socket.destroy();
	else socket.resetAndDestroy();
}
