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
import { checkHeaders, findRoute, operations, type OperationName, type Route } from './operations';
import type { FormFile, RecordedRequest, Recording } from './recording';
import type { ServiceSettings } from './settings';
import type { ServiceState } from './state';
import type { Tokens } from './tokens';
import { admitPatch, receivePatch, tusResponse } from './uploads';

interface ServiceParts {
	settings: ServiceSettings;
	state: ServiceState;
	tokens: Tokens;
	faults: Faults;
	recording: Recording;
}

/** The outcome of a request: a response, a reset connection, or silence. */
type Outcome = ResponseSpec | 'reset' | 'silence';

interface Exchange {
	req: IncomingMessage;
	route: Route;
	record: RecordedRequest;
	fault: ActiveFault | undefined;
	parts: ServiceParts;
	/** Is told of each chunk of a body that is not kept. */
	arrived: (bytes: number) => void;
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
	const { faults, recording } = parts;
	// The `close` event reports an aborted request; without a listener the error would end the process.
	req.on('error', () => undefined);
	res.on('error', () => undefined);
	const url = new URL(req.url ?? '/', 'http://service');
	const route = findRoute(req.method ?? '', url.pathname);
	const record = recordOf(req, url, route);
	const { delayMs, fault } = faults.actionFor(route.operation, Number(req.headers['content-length'] ?? 0));
	recording.add(record);
	if (delayMs > 0) await sleep(delayMs);
	const arrived = (bytes: number) => {
		record.bodyBytes += bytes;
		recording.changed();
	};
	const outcome = await decide({ req, route, record, fault, parts, arrived }).catch((thrown: unknown) => {
		const error =
			thrown instanceof ErrorResponse
				? thrown
				: new ErrorResponse(500, 'Internal Server Error', String(thrown));
		record.reason = error.reason;
		return { status: error.status, json: { error: error.error } };
	});
	if (outcome === 'reset') resetConnection(req);
	else if (outcome !== 'silence') {
		record.status = outcome.status;
		const body = setHead(res, outcome);
		if (fault?.kind === 'trickle') void trickle(res, body, fault.ms);
		else send(req, res, body, arrived);
	}
	recording.changed();
}

async function decide(exchange: Exchange): Promise<Outcome> {
	const { req, route, record, fault } = exchange;
	const { operation } = route;
	if (operation === 'uploadPatch') return await decidePatch(exchange);
	const bytes = await buffer(req).catch(() => undefined);
	if (bytes === undefined) return 'reset';
	record.bodyBytes = bytes.length;
	record.body = parseJson(bytes);
	const replaced = applyFault(exchange);
	if (replaced !== undefined) return replaced;
	if (operation === 'unknown') throw new ErrorResponse(404, 'Not Found');
	const call = authorizedCall(exchange, operation);
	if (operation === 'videoThumbnail') {
		call.form = record.form = await formOf(bytes, req.headers['content-type'] ?? '');
	}
	const response = await operations[operation].handle(call);
	return fault?.kind === 'lostResponse' ? 'reset' : response;
}

async function decidePatch(exchange: Exchange): Promise<Outcome> {
	const { req, fault, parts, arrived } = exchange;
	const stopAfter = (fault !== undefined && 'afterBytes' in fault && fault.afterBytes) || Infinity;
	const replacedAtOnce = stopAfter === Infinity ? applyFault(exchange) : undefined;
	if (replacedAtOnce !== undefined) return replacedAtOnce;
	const call = authorizedCall(exchange, 'uploadPatch');
	const upload = await admitPatch(call);
	const limits = { stopAfter, storeAtMost: fault?.kind === 'storeFewer' ? fault.bytes : Infinity };
	const end = await receivePatch(req, upload, limits, call, arrived);
	if (end === 'aborted' || fault?.kind === 'lostResponse') return 'reset';
	if (end === 'stopped') {
		const replaced = applyFault(exchange);
		if (replaced !== undefined) return replaced;
		parts.tokens.use(req.headers.authorization, parts.settings);
	}
	const { patchReturnsOffset } = parts.settings;
	return tusResponse(upload, call, patchReturnsOffset ? { 'Upload-Offset': String(upload.offset) } : {});
}

/** Applies a fault that occurs before the operation. Returns the outcome that replaces the operation, or undefined. */
function applyFault({ req, route, fault, parts }: Exchange): Outcome | undefined {
	switch (fault?.kind) {
		case 'reset':
			return 'reset';
		case 'hang':
			return 'silence';
		case 'status': {
			const { status, headers, body: text, error = `Injected fault ${status}` } = fault;
			return { status, headers, ...(text === undefined ? { json: { error } } : { text }) };
		}
		case 'redirect':
			return { status: fault.status ?? 307, headers: { Location: fault.to } };
		case 'forget':
			parts.state.uploads = parts.state.uploads.filter(({ id }) => id !== route.segments.upload_id);
			return undefined;
		case 'expireToken':
			parts.tokens.revoke(req.headers.authorization);
			return undefined;
		default:
			return undefined;
	}
}

/** Checks token and headers. Throws the matching ErrorResponse. */
function authorizedCall({ req, route, record, parts }: Exchange, operation: OperationName): Call {
	const { settings, state, tokens } = parts;
	const applicationId = operation === 'authenticate' ? '' : tokens.use(req.headers.authorization, settings);
	checkHeaders(operation, req.headers);
	return {
		settings,
		state,
		segments: route.segments,
		query: record.query,
		headers: req.headers,
		body: record.body,
		form: [],
		applicationId,
		issueToken: (application) => tokens.issue(application),
	};
}

function recordOf(req: IncomingMessage, url: URL, { operation, segments }: Route): RecordedRequest {
	return {
		operation,
		method: req.method ?? '',
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: req.headers,
		body: undefined,
		bodyBytes: 0,
		status: undefined,
		at: Date.now(),
		uploadId: segments.upload_id,
	};
}

/** Parsed JSON, or undefined when the bytes are none. */
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
 * Sends a body. While the request's body is still arriving, the rest is read and discarded before the connection
 * closes, as web servers do: closing with unread bytes resets the connection, and the client may miss the response.
 */
function send(
	req: IncomingMessage,
	res: ServerResponse,
	body: Buffer,
	arrived: (bytes: number) => void,
): void {
	if (req.complete) {
		res.end(body);
		return;
	}
	res.flushHeaders();
	if (body.length > 0) res.write(body);
	req.on('data', (chunk: Buffer) => arrived(chunk.length));
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
