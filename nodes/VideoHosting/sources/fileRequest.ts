import type { IExecuteFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { responseOf } from '../transport/errorResponse';
import { isRecord } from '../shared/jsonFields';
import { retryAfterMs } from '../shared/pause';
import { TransferError } from './transferErrors';
import { urlFileName } from './fileNames';

/** As many as browsers follow (WHATWG Fetch, HTTP-redirect fetch). */
export const MOST_REDIRECTS = 20;

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
	/** Value of the Range header; without it the whole file is requested. */
	range?: string;
	/** Strong validator, for If-Range. */
	ifRange?: string;
	/** How long the server may take to start its response, in milliseconds. */
	timeoutMs: number;
	/** Ends the request, and closes the body while it is read. */
	signal?: AbortSignal;
}

/** The server has no bytes in the requested range (RFC 9110 §15.5.17). */
export class RangeNotSatisfiableError extends TransferError {
	/** @param size bytes of the file, where the response contains them */
	constructor(
		url: string,
		readonly size: number | undefined,
	) {
		super(`${fileLabel(url)} has no bytes in the requested range`);
	}
}

/**
 * Requests a file with GET, without any credential of this node. Redirects are followed here: n8n's helper does not return
 * the final address, and repeats credentials in the URL to other hosts (@n8n/backend-network 1.15.1
 * dist/http/axios/utils.js, getBeforeRedirectFn).
 *
 * @throws RangeNotSatisfiableError on status 416
 * @throws TransferError on any other status than 200 and 206, when no response arrives, and when the body is compressed
 */
export async function requestFile(context: IExecuteFunctions, request: FileRequest): Promise<FileResponse> {
	let { url } = request;
	for (let redirects = 0; ; redirects++) {
		const response = await requestFileOnce(context, { ...request, url });
		if (response.statusCode === 200 || response.statusCode === 206) {
			checkEncoding(response);
			return response;
		}
		response.close();
		const target = redirectTarget(response);
		if (target === undefined) throw rejectedFileError(request.url, response);
		if (redirects === MOST_REDIRECTS) {
			throw new TransferError(
				`${fileLabel(request.url)} is behind too many redirects: enter its final address`,
			);
		}
		url = target;
	}
}

async function requestFileOnce(
	context: IExecuteFunctions,
	{ url, range, ifRange, timeoutMs, signal }: FileRequest,
): Promise<FileResponse> {
	let response: IN8nHttpFullResponse;
	try {
		// With returnFullResponse n8n returns this shape; its types are `any`.
		response = (await context.helpers.httpRequest({
			method: 'GET',
			url,
			headers: {
				// The length of an encoded response is not that of the file (RFC 9110 §12.5.3).
				'Accept-Encoding': 'identity',
				...(range === undefined ? {} : { Range: range }),
				...(range === undefined || ifRange === undefined ? {} : { 'If-Range': ifRange }),
			},
			encoding: 'stream',
			timeout: timeoutMs,
			abortSignal: signal,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		})) as IN8nHttpFullResponse;
	} catch (error) {
		throw unreachableFileError(url, error);
	}
	const { statusCode, headers } = response;
	// With encoding 'stream' the body is a Node.js stream of Buffers; n8n's type is `any`.
	const body = response.body as AsyncIterable<Uint8Array> & { destroy(): void };
	return {
		statusCode,
		url,
		header: (name) => {
			const value = headers[name];
			return typeof value === 'string' ? value : undefined;
		},
		body,
		close: () => {
			body.destroy();
		},
	};
}

function redirectTarget({ statusCode, url, header }: FileResponse): string | undefined {
	const location = header('location');
	if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) return undefined;
	if (!URL.canParse(location, url)) return undefined;
	const from = new URL(url);
	const to = new URL(location, url);
	if (!['http:', 'https:'].includes(to.protocol)) return undefined;
	if (to.origin === from.origin && to.username === '' && to.password === '') {
		to.username = from.username;
		to.password = from.password;
	}
	return to.href;
}

/** n8n's HTTP client decodes the usual codings and removes the header, see {@link decodedError}; others remain. */
function checkEncoding(response: FileResponse): void {
	const encoding = response.header('content-encoding')?.trim().toLowerCase() ?? '';
	if (encoding === '' || encoding === 'identity') return;
	response.close();
	throw decodedError(response.url);
}

/** The error for a file that the server compresses although it is requested without compression. */
export function decodedError(url: string): TransferError {
	return new TransferError(
		`${fileLabel(url)} cannot be uploaded from its address: the server sends it compressed, so its size is not known. ${DOWNLOAD_ADVICE}`,
	);
}

export const DOWNLOAD_ADVICE =
	'Download it first, for example with the HTTP Request node, and upload the binary data';

function unreachableFileError(url: string, error: unknown): TransferError {
	const response = responseOf(error);
	if (response) return new TransferError(`${statusMessage(url, response.statusCode)} ${CHECK_URL}`);
	if (isRecord(error) && typeof error.code === 'string') {
		const [happened, advice] = /^(ECONNABORTED|ETIMEDOUT)$/.test(error.code)
			? [
					'could not be read: its server did not respond in time',
					'Try again later, or increase Idle Timeout.',
				]
			: [`could not be reached (${error.code})`, 'Check the URL and the network of this n8n.'];
		return new TransferError(`${fileLabel(url)} ${happened}. ${advice}`, true);
	}
	// Without a code it is an error of n8n itself, for example of its SSRF guard.
	return new TransferError(`${fileLabel(url)} could not be requested: ${errorMessage(error)}`);
}

function rejectedFileError(url: string, { statusCode, header }: FileResponse): TransferError {
	if (statusCode === 416) {
		const size = /^bytes \*\/(\d+)$/.exec(header('content-range') ?? '')?.[1];
		return new RangeNotSatisfiableError(url, size === undefined ? undefined : Number(size));
	}
	if (statusCode < 300) {
		return new TransferError(
			`${fileLabel(url)} has no content: its server returned status ${statusCode}. ${CHECK_URL}`,
		);
	}
	const isTransient = statusCode >= 500 || statusCode === 429 || statusCode === 408;
	return new TransferError(
		`${statusMessage(url, statusCode)} ${isTransient ? 'Try again later.' : CHECK_URL}`,
		isTransient,
		retryAfterMs(header('retry-after')) ?? 0,
	);
}

const CHECK_URL = 'Check the URL, and that it can be opened without signing in.';

function statusMessage(url: string, statusCode: number): string {
	return `${fileLabel(url)} could not be downloaded: its server returned status ${statusCode}.`;
}

/** Names the file without its query, which often contains a signature. */
export function fileLabel(url: string): string {
	return `The file "${urlFileName(url) ?? '/'}" at ${new URL(url).host}`;
}
