import {
	jsonParse,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import { excerpt, errorMessage, isText, shortened } from '../shared/text';
import { anySignal, raceSignal } from '../shared/waiting';
import { networkError } from '../transport/errorTexts';
import { plainText, serviceText } from '../transport/failure';
import { descriptionOf } from '../transport/serviceError';
import { urlFileName, utf8Decoded } from './fileNames';
import { TransferError } from './transfer';

/** As many as browsers follow (WHATWG Fetch, HTTP-redirect fetch). */
const MOST_REDIRECTS = 20;

/** What is read of a refusal. */
const REASON_BYTES = 4_096;
const REASON_MS = 5_000;

/** What servers send with a file as it is. Any other encoding may be a compression. */
const NOT_ENCODED = /^(identity|none|binary|utf-8|aws-chunked)?$/i;

/** A response to a GET for a file. */
export interface FileResponse {
	statusCode: number;
	/** Final address, after redirects. */
	url: string;
	/** @param name in lower case */
	readonly header: (name: string) => string | undefined;
	/** Its Set-Cookie headers. */
	readonly cookies: string[];
	body: AsyncIterable<Uint8Array>;
	/** Ends the request, and so its connection: to destroy the body does not (docs/n8n-internals.md#files-that-are-not-read). */
	readonly close: () => void;
	/** Whether the server compressed the body. Where axios hides that, it is known once the response was closed unread. */
	readonly isCompressed: () => boolean;
}

export interface FileRequest {
	url: string;
	/** In addition to Accept-Encoding. */
	headers?: Record<string, string>;
	/** How long the server may take to start its response, in milliseconds. */
	timeoutMs: number;
	/** Ends the request, also while its body is read. */
	signal?: AbortSignal;
	/** Whether the server returned the file a moment ago: a link that works once is used up by the first request. */
	wasReadable?: boolean;
}

/**
 * Requests a file as {@link requestAny} does.
 *
 * @throws TransferError also on any other status than 200 and 206, and when the body is compressed
 */
export async function requestFile(context: IExecuteFunctions, request: FileRequest): Promise<FileResponse> {
	const response = await requestAny(context, request);
	if ([200, 206].includes(response.statusCode) && !response.isCompressed()) return response;
	throw await rejectedFileError(request, response);
}

/**
 * Requests a file with GET, without any credential of this node. Redirects are followed here: n8n's helper does not return
 * the final address, and sends credentials in the URL to other hosts (@n8n/backend-network 1.15.1
 * dist/http/axios/utils.js, getBeforeRedirectFn). Cookies that a redirect sets go to the same origin with the next requests: a share
 * link may set a session, and redirect to itself until it gets that back.
 *
 * @returns the last response, whatever its status
 * @throws TransferError when no response arrives, and after too many redirects
 */
export async function requestAny(context: IExecuteFunctions, request: FileRequest): Promise<FileResponse> {
	let { url } = request;
	/** `name=value` of cookies, by origin and name. Browsers also look at Domain, Path and dates (RFC 6265). */
	const cookies = new Map<string, string>();
	for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
		const origin = `${new URL(url).origin} `;
		const known = [...cookies].filter(([key]) => key.startsWith(origin)).map(([, cookie]) => cookie);
		const headers = known.length > 0 ? { ...request.headers, Cookie: known.join('; ') } : request.headers;
		const response = await requestOnce(context, { ...request, url, headers });
		const target = redirectTarget(response);
		if (target === undefined) return response;
		response.close();
		for (const line of response.cookies) {
			const [cookie = ''] = line.split(';', 1);
			cookies.set(`${origin}${cookie.split('=', 1)[0]}`, cookie);
		}
		url = target;
	}
	throw fileError(request.url, 'is behind too many redirects', 'Enter its final address.');
}

/** What axios' error of a request that was aborted has of Node.js: the response as it arrived. */
interface AbortedRequest {
	request?: { res?: { headersDistinct?: NodeJS.Dict<string[]> } };
}

async function requestOnce(
	context: IExecuteFunctions,
	{ url, headers, timeoutMs, signal }: FileRequest,
): Promise<FileResponse> {
	const closer = new AbortController();
	const options: IHttpRequestOptions = {
		method: 'GET',
		url,
		// The length of an encoded response is not that of the file (RFC 9110 §12.5.3).
		headers: { 'Accept-Encoding': 'identity', ...headers },
		encoding: 'stream',
		timeout: timeoutMs,
		abortSignal: anySignal(signal, closer.signal),
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	};
	// With returnFullResponse n8n returns this shape; its types are `any`.
	const response = (await context.helpers.httpRequest(options).catch((error: unknown) => {
		throw unreachableFileError(url, error);
	})) as IN8nHttpFullResponse;
	// With encoding 'stream' the body is a Node.js stream of Buffers; n8n's type is `any`.
	const body = response.body as AsyncIterable<Uint8Array> & NodeJS.EventEmitter;
	// A header is a text in Node.js, Set-Cookie a list of texts; n8n's type is `any`.
	const header = (name: string) => response.headers[name] as string | undefined;
	let encoding = header('content-encoding');
	body.on('error', ({ request }: AbortedRequest) => {
		// axios removes the header (docs/n8n-internals.md#compressed-files).
		encoding ??= request?.res?.headersDistinct?.['content-encoding']?.join();
	});
	return {
		statusCode: response.statusCode,
		url,
		header,
		cookies: (response.headers['set-cookie'] ?? []) as string[],
		body,
		close: () => {
			closer.abort();
		},
		isCompressed: () => !NOT_ENCODED.test(encoding ?? ''),
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

const ONCE_ADVICE = 'If the link works once, use the HTTP Request node first, and upload the binary data.';

const PROXY_ADVICE =
	'The proxy wants a user name and a password: check the proxy settings of this n8n, such as HTTPS_PROXY.';

/** The error for a response that is not the file, with what the server says about that; closes it. */
export async function rejectedFileError(request: FileRequest, response: FileResponse) {
	const { timeoutMs, url, wasReadable } = request;
	const { body, close, statusCode } = response;
	const inTime = AbortSignal.timeout(Math.min(timeoutMs, REASON_MS));
	const reason = statusCode < 400 ? '' : await raceSignal(reasonIn(body), inTime).catch(() => '');
	close();
	if ([200, 206].includes(statusCode))
		return fileError(url, 'is sent compressed by its server, so its size is not known', DOWNLOAD_ADVICE);
	if (statusCode === 416) return fileError(url, 'is empty, or shorter than before', 'Check the file.');
	const returned = `returned status ${statusCode}${reason && `: ${excerpt(reason)}`}`;
	if (statusCode === 407) return fileError(url, `could not be downloaded: a proxy ${returned}`, PROXY_ADVICE);
	const failed = `could not be downloaded: its server ${returned}`;
	if (statusCode >= 500 || statusCode === 429 || statusCode === 408)
		return fileError(url, failed, 'Try again later.', true);
	if (wasReadable)
		return fileError(url, `was readable a moment ago, and then its server ${returned}`, ONCE_ADVICE);
	return fileError(url, failed, 'Check the URL, and that it can be opened without signing in.');
}

/** Why a server refuses a file, in JSON or text: `The download quota for this file has been exceeded`. */
async function reasonIn(body: FileResponse['body']): Promise<string> {
	let bytes = Buffer.alloc(0);
	for await (const chunk of body) {
		bytes = Buffer.concat([bytes, chunk]);
		if (bytes.length >= REASON_BYTES) break;
	}
	const text = bytes.toString('utf8', 0, REASON_BYTES);
	const said = jsonParse<unknown>(text, { fallbackValue: text });
	return isText(bytes, false) ? (serviceText(said) ?? plainText(said)) : '';
}

function unreachableFileError(url: string, error: unknown): TransferError {
	const known = networkError(error);
	// An error without a code is n8n's own, for example that of its SSRF guard.
	const what = known
		? `could not be downloaded: its server ${known.happened} (${known.code})`
		: `could not be requested: ${excerpt(errorMessage(error))}`;
	const advice = known?.adviceForFile ?? descriptionOf(error) ?? '';
	return fileError(url, what, advice, known?.isFinal === false);
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
	return `The file "${shortened(urlFileName(url) ?? '/', 100)}" at ${shortened(new URL(url).host, 100)}`;
}
