import {
	createServer as createHttpServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

import { internalError, ErrorResponse, type ResponseSpec } from './responses';
import { parseJson, readBody, requireMultipart } from './body';
import type { Call } from './call';
import type { Faults, ActiveFault } from './faults';
import { handlers } from './handlers';
import { checkHeaders } from './headers';
import { findRoute, type OperationName, type Route } from './operations';
import { receivePatch } from './patch';
import type { RecordedRequest, Recording } from './recording';
import type { ServiceSettings } from './settings';
import type { ServiceState } from './state';
import type { Tokens } from './tokens';
import { admitPatch, forgetUpload, loseBytes, tusResponse } from './uploads';

export interface ServiceParts {
	settings: ServiceSettings;
	state: ServiceState;
	tokens: Tokens;
	faults: Faults;
	recording: Recording;
	origin: () => string;
}

/** The outcome of a request: a response, a reset connection, or silence. */
type Outcome = ResponseSpec | 'reset' | 'silence';

interface Exchange {
	req: IncomingMessage;
	route: Route;
	record: RecordedRequest;
	fault: ActiveFault | undefined;
	parts: ServiceParts;
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
	const outcome = await decide({ req, route, record, fault, parts }).catch((error: unknown) => {
		const errorResponse = error instanceof ErrorResponse ? error : internalError();
		record.reason = error instanceof ErrorResponse ? error.reason : String(error);
		return errorResponse.toResponse();
	});
	if (outcome === 'reset') resetConnection(req);
	else if (outcome !== 'silence') {
		record.status = outcome.status;
		if (fault?.kind === 'trickle') void trickle(res, outcome, fault.ms);
		else send(req, res, record, outcome, recording);
	}
	recording.changed();
}

async function decide(exchange: Exchange): Promise<Outcome> {
	const { req, route, record, fault, parts } = exchange;
	const { operation } = route;
	if (operation === 'uploadPatch') return await decidePatch(exchange, operation);
	const stopAfter = fault !== undefined && 'afterBytes' in fault ? fault.afterBytes : undefined;
	const bytes = await readBody(req, record, parts.recording, stopAfter);
	if (bytes === undefined) return 'reset';
	if (bytes.length > 0) record.body = parseJson(bytes);
	const faultOutcome = applyFault(exchange);
	if (faultOutcome !== undefined) return faultOutcome;
	if (operation === 'unknown') {
		throw route.otherMethod
			? new ErrorResponse(405, 'Method Not Allowed')
			: new ErrorResponse(404, 'Not Found');
	}

	const call = authorizedCall(exchange, operation);
	if (operation === 'videoThumbnail') {
		call.form = record.form = await requireMultipart(bytes, req.headers['content-type']);
	}
	const response = await handlers[operation](call);
	return fault?.kind === 'lostResponse' ? 'reset' : response;
}

async function decidePatch(exchange: Exchange, operation: 'uploadPatch'): Promise<Outcome> {
	const { req, record, fault, parts } = exchange;
	const stopAfter = fault !== undefined && 'afterBytes' in fault ? (fault.afterBytes ?? 0) : undefined;
	if (stopAfter === undefined || stopAfter === 0) {
		const faultOutcome = applyFault(exchange);
		if (faultOutcome !== undefined) return faultOutcome;
	}
	const call = authorizedCall(exchange, operation);
	const upload = await admitPatch(call);
	const limits = {
		stopAfter: stopAfter || Infinity,
		storeAtMost: fault?.kind === 'storeFewer' ? fault.bytes : Infinity,
	};
	const outcome = await receivePatch(req, upload, limits, record, parts.recording, parts);
	if (outcome === 'aborted' || fault?.kind === 'lostResponse') return 'reset';
	if (outcome === 'stopped') {
		const faultOutcome = applyFault(exchange);
		if (faultOutcome !== undefined) return faultOutcome;
		parts.tokens.use(req.headers.authorization, parts.settings);
	}
	const response = tusResponse(upload, call);
	if (!parts.settings.patchReturnsOffset) return response;
	return { ...response, headers: { ...response.headers, 'Upload-Offset': String(upload.offset) } };
}

/** Applies a fault that occurs before the operation. Returns the outcome that replaces the operation, or undefined. */
function applyFault({ req, route, fault, parts }: Exchange): Outcome | undefined {
	switch (fault?.kind) {
		case 'reset':
			return 'reset';
		case 'hang':
			return 'silence';
		case 'status':
			return {
				status: fault.status,
				headers: fault.headers,
				...(fault.body === undefined
					? { json: { error: fault.error ?? `Injected fault ${fault.status}` } }
					: { text: fault.body }),
			};
		case 'redirect':
			return { status: fault.status, headers: { Location: fault.to } };
		case 'forget':
			forgetUpload(route.segments.upload_id, parts.state);
			return undefined;
		case 'loseBytes':
			loseBytes(route.segments.upload_id, fault.bytes, parts.state);
			return undefined;
		case 'expireToken':
			parts.tokens.revoke(req.headers.authorization);
			return undefined;
		default:
			return undefined;
	}
}

/** Checks token and headers. Throws the matching ErrorResponse. */
function authorizedCall({ req, route, record, fault, parts }: Exchange, operation: OperationName): Call {
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
		origin: parts.origin(),
		listAtMost: fault?.kind === 'shortList' ? fault.records : Infinity,
		issueToken: (application) => tokens.issue(application),
	};
}

function recordOf(req: IncomingMessage, url: URL, { operation, segments }: Route): RecordedRequest {
	const record: RecordedRequest = {
		operation,
		method: req.method ?? '',
		path: url.pathname,
		query: Object.fromEntries(url.searchParams),
		headers: req.headers,
		body: undefined,
		bodyBytes: 0,
		status: undefined,
		at: Date.now(),
	};
	if (segments.upload_id !== undefined) record.uploadId = segments.upload_id;
	const offset = req.headers['upload-offset'];
	if (typeof offset === 'string' && /^\d+$/.test(offset)) record.uploadOffset = Number(offset);
	return record;
}

/**
 * Sends a response. While the request body is still arriving, the rest is read and discarded before the connection
 * closes, as web servers do: closing with unread bytes resets the connection, and the client may miss the response.
 */
function send(
	req: IncomingMessage,
	res: ServerResponse,
	record: RecordedRequest,
	outcome: ResponseSpec,
	recording: Recording,
): void {
	const body = setHead(res, outcome);
	if (req.complete) {
		res.end(body);
		return;
	}
	res.flushHeaders();
	if (body.length > 0) res.write(body);
	req.on('data', (chunk: Buffer) => {
		record.bodyBytes += chunk.length;
		recording.changed();
	});
	req.once('end', () => res.end());
	req.resume();
}

/** Sets status and headers, and returns the body. */
function setHead(res: ServerResponse, { status, json, text, headers }: ResponseSpec): Buffer {
	const body = Buffer.from(text ?? (json === undefined ? '' : JSON.stringify(json)), 'utf8');
	res.statusCode = status;
	if (json !== undefined) res.setHeader('Content-Type', 'application/json; charset=utf-8');
	if (status >= 200 && status !== 204 && status !== 304) res.setHeader('Content-Length', body.length);
	for (const [name, value] of Object.entries(headers ?? {})) res.setHeader(name, value);
	return body;
}

async function trickle(res: ServerResponse, outcome: ResponseSpec, ms: number): Promise<void> {
	const body = setHead(res, outcome);
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
