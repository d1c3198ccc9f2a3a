import type { IExecuteFunctions } from 'n8n-workflow';

import { backoffDelay, pause } from '../shared/pause';
import { cancelSignal } from '../transport/request';
import { retryPolicy } from '../shared/retryPolicy';
import { withIdleTimeout } from './idleTimeout';
import { toReadError, TransferError } from './transferErrors';
import { dispositionFileName, urlFileName } from './fileNames';
import {
	decodedError,
	DOWNLOAD_ADVICE,
	fileLabel,
	RangeNotSatisfiableError,
	requestFile,
	type FileResponse,
} from './fileRequest';

const TRIES = 3;
/** From this age on a Last-Modified of one second's precision is a strong validator (RFC 9110 §8.8.2.2). Milliseconds. */
const STRONG_AGE_MS = 60_000;

/** The validators in a response, which identify the state of the file. */
interface Validators {
	etag?: string;
	lastModified?: string;
	/** The one that proves a second read to return the same bytes (RFC 9110 §13.1.5), if there is one. */
	strong?: string;
}

/** What the server reports about a file before it is read. */
export interface FileDescription {
	/** Bytes. */
	size: number;
	fileName?: string;
	validators: Validators;
}

/**
 * Describes a file by a request for its first byte. It uses GET because signed URLs do not allow HEAD, and one byte because n8n's
 * HTTP client decodes a compressed body and hides that it did (axios 1.18.0 lib/adapters/http.js, `decompress`): the first
 * byte of a compressed file does not decode to one byte. A server without ranges returns the whole file, which is not read.
 *
 * @param timeoutMs how long the server may take to start its response, in milliseconds
 * @throws TransferError when the address is rejected, cannot be reached, or the server returns no size
 */
export async function describeFile(
	context: IExecuteFunctions,
	url: string,
	timeoutMs: number,
): Promise<FileDescription> {
	const { longestMs } = retryPolicy.errorPause;
	for (let failures = 1; ; failures++) {
		const described = await describeOnce(context, url, timeoutMs).catch(toReadError);
		if (!(described instanceof TransferError)) return described;
		const { isTransient, retryAfterMs } = described;
		if (!isTransient || failures >= TRIES || retryAfterMs > longestMs) throw described;
		const pauseMs = backoffDelay(failures, retryPolicy.errorPause, retryAfterMs);
		await pause(pauseMs, cancelSignal(context));
	}
}

async function describeOnce(
	context: IExecuteFunctions,
	url: string,
	timeoutMs: number,
): Promise<FileDescription> {
	const cancelled = cancelSignal(context);
	const request = { url, range: 'bytes=0-0', timeoutMs, signal: cancelled };
	const response = await requestFile(context, request).catch(emptyFile);
	if (response === undefined) return { size: 0, fileName: urlFileName(url), validators: {} };
	try {
		return await withIdleTimeout(response, { idleTimeoutMs: timeoutMs, cancelled }, async () => ({
			size: response.statusCode === 206 ? await sizeOfPart(response) : sizeOfWhole(response),
			fileName:
				dispositionFileName(response.header('content-disposition')) ??
				urlFileName(response.url) ??
				urlFileName(url),
			validators: validatorsOf(response),
		}));
	} finally {
		response.close();
	}
}

/** The first byte of an empty file does not exist. */
function emptyFile(error: unknown): undefined {
	if (error instanceof RangeNotSatisfiableError && error.size === 0) return undefined;
	throw error;
}

async function sizeOfPart(response: FileResponse): Promise<number> {
	const { last, total } = contentRangeOf(response, 0);
	// A server may return more than was requested (RFC 9110 §15.3.7).
	if (last > 0) return total;
	const received = await lengthOf(response.body).catch((error: unknown) => {
		if (isDecodeError(error)) return undefined;
		throw new TransferError(`${fileLabel(response.url)} could not be read. Try again later.`, true);
	});
	if (received !== 1) throw decodedError(response.url);
	return total;
}

/** Bytes of a body, as far as they matter here: more than one is two or more. */
async function lengthOf(body: AsyncIterable<Uint8Array>): Promise<number> {
	let length = 0;
	for await (const chunk of body) {
		length += chunk.length;
		if (length > 1) break;
	}
	return length;
}

function sizeOfWhole(response: FileResponse): number {
	const size = contentLengthOf(response);
	if (size !== undefined) return size;
	throw new TransferError(
		`${fileLabel(response.url)} cannot be uploaded from its address: the server does not return its size (Content-Length). ${DOWNLOAD_ADVICE}`,
	);
}

/**
 * The range in a 206 response.
 *
 * @param offset where the requested range starts, in bytes
 * @returns the offset of the last byte in it, and the size of the file in bytes
 * @throws TransferError when the response is not that one range of a file of known size
 */
export function contentRangeOf(response: FileResponse, offset: number): { last: number; total: number } {
	const text = response.header('content-range') ?? '';
	const [, start, last, total] = /^bytes (\d+)-(\d+)\/(\d+)$/i.exec(text) ?? [];
	if (start !== undefined && Number(start) === offset) return { last: Number(last), total: Number(total) };
	const got = text === '' ? 'without Content-Range' : `with Content-Range "${text}"`;
	throw new TransferError(
		`${fileLabel(response.url)} cannot be uploaded from its address: the server returned a part of it ${got} when the part from byte ${offset} was requested. ${DOWNLOAD_ADVICE}`,
	);
}

/** Content-Length in bytes. */
export function contentLengthOf(response: FileResponse): number | undefined {
	const text = response.header('content-length') ?? '';
	return /^\d+$/.test(text) ? Number(text) : undefined;
}

/** The validators in a response. */
export function validatorsOf(response: FileResponse): Validators {
	const etag = response.header('etag');
	const lastModified = response.header('last-modified');
	if (etag !== undefined) return { etag, lastModified, strong: etag.startsWith('"') ? etag : undefined };
	const age = Date.parse(response.header('date') ?? '') - Date.parse(lastModified ?? '');
	return { lastModified, strong: age >= STRONG_AGE_MS ? lastModified : undefined };
}

/** Whether the HTTP client failed to decompress a body; zlib's error codes start like this. */
export function isDecodeError(error: unknown): boolean {
	return error instanceof Error && 'code' in error && /^(Z_|ERR__|ERR_BROTLI|ZSTD_)/.test(String(error.code));
}
