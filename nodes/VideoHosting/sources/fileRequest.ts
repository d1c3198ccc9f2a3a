import type { IExecuteFunctions, IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';
import { parse } from 'content-disposition';

import { isRecord } from '../shared/jsonFields';
import { errorMessage } from '../shared/text';
import { descriptionOf } from '../transport/errorTexts';
import { TransferError } from './transfer';

/** As many as browsers follow (WHATWG Fetch, HTTP-redirect fetch). */
const MOST_REDIRECTS = 20;

/** What servers send with a file as it is. Any other encoding may be a compression. */
const NOT_ENCODED = /^(identity|none|binary|utf-8|aws-chunked)?$/i;

/** A 200 or 206 response to a GET for a file. */
export interface FileResponse {
	statusCode: number;
	/** Final address, after redirects. */
	url: string;
	/** @param name in lower case */
	readonly header: (name: string) => string | undefined;
	body: AsyncIterable<Uint8Array>;
	/** Closes the connection. */
	readonly close: () => void;
}

interface FileRequest {
	url: string;
	/** In addition to Accept-Encoding. */
	headers?: Record<string, string>;
	/** How long the server may take to start its response, in milliseconds. */
	timeoutMs: number;
	/** Ends the request, and closes the body while it is read. */
	signal?: AbortSignal;
}

/**
 * Requests a file with GET, without any credential of this node. Redirects are followed here: n8n's helper does not return
 * the final address, and sends credentials in the URL to other hosts (@n8n/backend-network 1.15.1
 * dist/http/axios/utils.js, getBeforeRedirectFn).
 *
 * @throws TransferError on any other status than 200 and 206, when no response arrives, and when the body is compressed
 */
export async function requestFile(context: IExecuteFunctions, request: FileRequest): Promise<FileResponse> {
	let { url } = request;
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		const response = await requestFileOnce(context, { ...request, url });
		const { statusCode } = response;
		const isPlain = NOT_ENCODED.test(response.header('content-encoding') ?? '');
		if ((statusCode === 200 || statusCode === 206) && isPlain) return response;
		response.close();
		const target = redirectTarget(response);
		if (target === undefined) throw rejectedFileError(request.url, response);
		url = target;
	}
	throw fileError(request.url, 'is behind too many redirects', 'Enter its final address.');
}

async function requestFileOnce(
	context: IExecuteFunctions,
	{ url, headers, timeoutMs, signal }: FileRequest,
): Promise<FileResponse> {
	const options: IHttpRequestOptions = {
		method: 'GET',
		url,
		// The length of an encoded response is not that of the file (RFC 9110 §12.5.3).
		headers: { 'Accept-Encoding': 'identity', ...headers },
		encoding: 'stream',
		timeout: timeoutMs,
		abortSignal: signal,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	// With returnFullResponse n8n returns this shape; its types are `any`.
	const response = (await context.helpers.httpRequest(options).catch((error: unknown) => {
		throw unreachableFileError(url, error);
	})) as IN8nHttpFullResponse;
	// With encoding 'stream' the body is a Node.js stream of Buffers; n8n's type is `any`.
	const body = response.body as AsyncIterable<Uint8Array> & { destroy(): void };
	return {
		statusCode: response.statusCode,
		url,
		// A header is a text in Node.js, Set-Cookie excepted; n8n's type is `any`.
		header: (name) => response.headers[name] as string | undefined,
		body,
		close: () => {
			body.destroy();
		},
	};
}

function redirectTarget({ statusCode, url, header }: FileResponse): string | undefined {
	const location = utf8Decoded(header('location') ?? '');
	if (![301, 302, 303, 307, 308].includes(statusCode) || location === '') return undefined;
	if (!URL.canParse(location, url)) return undefined;
	const target = new URL(location, url);
	return ['http:', 'https:'].includes(target.protocol) ? target.href : undefined;
}

export const DOWNLOAD_ADVICE =
	'Download it first, for example with the HTTP Request node, and upload the binary data.';

function rejectedFileError(url: string, { statusCode }: FileResponse): TransferError {
	if (statusCode === 200 || statusCode === 206) return compressedError(url);
	if (statusCode === 416) return fileError(url, 'is empty, or shorter than before', 'Check the file.');
	const isTransient = statusCode >= 500 || statusCode === 429 || statusCode === 408;
	const advice = isTransient
		? 'Try again later.'
		: 'Check the URL, and that it can be opened without signing in.';
	const what = `could not be downloaded: its server returned status ${statusCode}`;
	return fileError(url, what, advice, isTransient);
}

export function compressedError(url: string): TransferError {
	return fileError(url, 'is sent compressed by its server, so its size is not known', DOWNLOAD_ADVICE);
}

function unreachableFileError(url: string, error: unknown): TransferError {
	// An error without a code is n8n's own, for example that of its SSRF guard.
	if (!isRecord(error) || typeof error.code !== 'string')
		return fileError(url, `could not be requested: ${errorMessage(error)}`, descriptionOf(error) ?? '');
	const [what, advice] = ['ECONNABORTED', 'ETIMEDOUT'].includes(error.code)
		? ['was not sent in time by its server', 'Try again later. For an upload, increase Idle Timeout.']
		: [`could not be reached (${error.code})`, 'Check the URL and the network of this n8n.'];
	return fileError(url, what, advice, true);
}

/**
 * The error for a file at an address.
 *
 * @param what happened, as the predicate of a sentence
 * @param advice what to do
 */
export function fileError(url: string, what: string, advice: string, isTransient = false): TransferError {
	return new TransferError(`${fileLabel(url)} ${what}`, isTransient, advice);
}

/** Names the file without its query, which often contains a signature. */
export function fileLabel(url: string): string {
	return `The file "${urlFileName(url) ?? '/'}" at ${new URL(url).host}`;
}

/**
 * The file name in a Content-Disposition header (RFC 6266), without the path that some servers put in front of it (§4.3).
 *
 * @param header as Node.js returns it: one character per byte
 * @returns undefined when the header contains no usable name
 */
export function dispositionFileName(header = ''): string | undefined {
	const { filename = '' } = parse(header).parameters;
	return baseName(utf8Decoded(filename));
}

/** The last segment of an address's path, decoded; undefined when the path ends in a slash. */
export function urlFileName(url: string): string | undefined {
	const last = new URL(url).pathname.split('/').at(-1) ?? '';
	try {
		return baseName(decodeURIComponent(last));
	} catch {
		return baseName(last);
	}
}

/** Many servers send names as UTF-8, although HTTP has one character per byte. */
function utf8Decoded(text: string): string {
	if (/[^\0-\xff]/.test(text)) return text;
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(text, 'latin1'));
	} catch {
		return text;
	}
}

function baseName(path: string): string | undefined {
	const last = path.split(/[\\/]/).at(-1) ?? '';
	const name = last.replace(/\p{Cc}/gu, '').trim();
	return ['', '.', '..'].includes(name) ? undefined : name;
}
