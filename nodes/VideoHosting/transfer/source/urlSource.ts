import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { responseOf } from '../../service/errors';
import { retryAfterMs } from '../../service/pause';
import { cancelSignal } from '../../service/request';
import { assertLength, skipBytes, type Source } from './source';
import { TransferError } from '../recovery/transferError';

/** What the server says about the file behind the address. */
interface RemoteFile {
	/** Bytes. */
	size: number;
	etag?: string;
	lastModified?: string;
}

interface Remote extends RemoteFile {
	context: IExecuteFunctions;
	url: string;
	timeoutMs: number;
}

/**
 * A file at a web address, streamed from there and never stored. It is asked for without any credential of this node.
 *
 * @param timeoutMs how long the server may take to begin its answer, in milliseconds
 * @throws TransferFault when the address is refused, not reached, or does not say how long the file is
 */
export async function urlSource(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<Source> {
	const file = await describeFile(context, url, timeoutMs);
	const remote: Remote = { ...file, context, url, timeoutMs };
	return {
		size: file.size,
		fileName: fileNameIn(url),
		version: file.etag,
		disposableChunks: true,
		bytes: (offset, signal) =>
			assertLength(remoteBytes(remote, offset, signal), file.size - offset, fileLabel(url)),
	};
}

/** HEAD; where it is refused or does not tell the length, a GET whose body is not read (signed addresses are for GET alone). */
async function describeFile(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<RemoteFile> {
	const signal = cancelSignal(context);
	const head = await requestFile(context, { method: 'HEAD', url, timeout: timeoutMs, abortSignal: signal });
	const byHead = head.statusCode < 300 ? remoteFileOf(head) : undefined;
	// Some servers answer HEAD with length 0 whatever the file.
	if (byHead && byHead.size > 0) return byHead;

	const answer = await requestFile(context, { ...getRequest(url), timeout: timeoutMs, abortSignal: signal });
	closeBody(answer);
	if (answer.statusCode >= 300) throw rejectedError(url, answer);
	const byGet = remoteFileOf(answer);
	if (byGet) return byGet;
	throw new TransferError(
		`${fileLabel(url)} cannot be uploaded from its address: the server does not say how long it is (Content-Length). Download it first, for example with the HTTP Request node, and upload the binary data`,
		false,
	);
}

async function* remoteBytes(
	remote: Remote,
	offset: number,
	signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
	const { context, url, timeoutMs } = remote;
	// If-Range takes a strong validator (RFC 9110, 13.1.5).
	const validator = remote.etag?.startsWith('"') ? remote.etag : remote.lastModified;
	const range = {
		Range: `bytes=${offset}-`,
		...(validator === undefined ? {} : { 'If-Range': validator }),
	};
	const answer = await requestFile(context, {
		...getRequest(url),
		headers: { ...IDENTITY, ...(offset > 0 ? range : {}) },
		timeout: timeoutMs,
		abortSignal: signal,
	});
	const close = () => {
		closeBody(answer);
	};
	signal.addEventListener('abort', close, { once: true });
	if (signal.aborted) close();
	try {
		if (answer.statusCode === 416) throw changedError(url);
		if (answer.statusCode >= 300) throw rejectedError(url, answer);
		checkUnchanged(remote, answer, offset);
		// `encoding: 'stream'` makes the body a Node stream of Buffers; n8n's types say any.
		const body = answer.body as AsyncIterable<Uint8Array>;
		// A server without ranges answers 200 with the whole file.
		yield* skipBytes(body, answer.statusCode === 206 ? 0 : offset, true);
	} finally {
		signal.removeEventListener('abort', close);
		close();
	}
}

/** An encoded answer has another length than the file. */
const IDENTITY = { 'Accept-Encoding': 'identity' };

function getRequest(url: string): IHttpRequestOptions {
	return { method: 'GET', url, headers: IDENTITY, encoding: 'stream' };
}

/** @throws TransferFault when no answer came */
async function requestFile(
	context: IExecuteFunctions,
	options: IHttpRequestOptions,
): Promise<IN8nHttpFullResponse> {
	try {
		// returnFullResponse makes n8n answer this shape; its types say any.
		return (await context.helpers.httpRequest({
			...options,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		throw unreachableError(options.url, error);
	}
}

function unreachableError(url: string, error: unknown): TransferError {
	const refused = responseOf(error);
	if (refused)
		return new TransferError(`${fileLabel(url)} was refused with status ${refused.statusCode}`, false);
	const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
	const said = error instanceof Error ? error.message : String(error);
	// Without a code it is n8n's own refusal, by its SSRF guard for instance.
	return new TransferError(`${fileLabel(url)} could not be reached (${code ?? said})`, code !== undefined);
}

function rejectedError(url: string, { statusCode, headers }: IN8nHttpFullResponse): TransferError {
	const passes = statusCode >= 500 || statusCode === 429 || statusCode === 408;
	const advice = passes ? 'Try again later.' : 'Check the URL, and that it can be opened without signing in.';
	const wait = retryAfterMs(headers['retry-after']) ?? 0;
	return new TransferError(
		`${fileLabel(url)} was refused with status ${statusCode}. ${advice}`,
		passes,
		wait,
	);
}

function checkUnchanged(remote: Remote, answer: IN8nHttpFullResponse, offset: number): void {
	const { etag, lastModified } = validatorsIn(answer);
	const differs = (before?: string, now?: string) =>
		before !== undefined && now !== undefined && before !== now;
	if (differs(remote.etag, etag)) throw changedError(remote.url);
	if (remote.etag === undefined && differs(remote.lastModified, lastModified)) throw changedError(remote.url);
	if (answer.statusCode === 206) {
		const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(headerOf(answer, 'content-range') ?? '');
		if (range && Number(range[2]) !== remote.size) throw changedError(remote.url);
		if (range && Number(range[1]) !== offset) {
			throw new TransferError(`${fileLabel(remote.url)} came with another range than was asked for`, false);
		}
		return;
	}
	const size = contentLengthOf(answer);
	if (size !== undefined && size !== remote.size) throw changedError(remote.url);
}

function changedError(url: string): TransferError {
	return new TransferError(
		`${fileLabel(url)} changed while it was uploaded, so the rest of it does not belong to what the service has`,
		false,
	);
}

function remoteFileOf(answer: IN8nHttpFullResponse): RemoteFile | undefined {
	const size = contentLengthOf(answer);
	return size === undefined ? undefined : { size, ...validatorsIn(answer) };
}

function contentLengthOf(answer: IN8nHttpFullResponse): number | undefined {
	const text = headerOf(answer, 'content-length') ?? '';
	return /^\d+$/.test(text) ? Number(text) : undefined;
}

function validatorsIn(answer: IN8nHttpFullResponse): Pick<RemoteFile, 'etag' | 'lastModified'> {
	return { etag: headerOf(answer, 'etag'), lastModified: headerOf(answer, 'last-modified') };
}

function headerOf(answer: IN8nHttpFullResponse, name: string): string | undefined {
	const value = answer.headers[name];
	return typeof value === 'string' ? value : undefined;
}

function closeBody({ body }: IN8nHttpFullResponse): void {
	if (typeof body === 'object' && body !== null && 'destroy' in body && typeof body.destroy === 'function') {
		body.destroy();
	}
}

/** Names the file without its query, which often carries a signature. */
function fileLabel(url: string): string {
	return `The file "${fileNameIn(url) ?? '/'}" at ${new URL(url).host}`;
}

function fileNameIn(url: string): string | undefined {
	const last = new URL(url).pathname.split('/').at(-1);
	if (last === undefined || last === '') return undefined;
	try {
		return decodeURIComponent(last);
	} catch {
		return last;
	}
}
