import type { IExecuteFunctions } from 'n8n-workflow';

import { Tries } from '../shared/patience';
import { policiesOf } from '../shared/policies';
import { pause } from '../shared/waiting';
import { cancelSignal } from '../transport/request';
import {
	dispositionFileName,
	urlFileName,
	compressedError,
	DOWNLOAD_ADVICE,
	fileError,
	fileLabel,
	requestFile,
	type FileResponse,
} from './fileRequest';
import { assertLength, closing, skipBytes, type Source } from './source';
import { withIdleTimeout, ContentMismatchError, toReadError, TransferError } from './transfer';

/**
 * A file at a web address, streamed and never stored. A GET for its first byte returns name, size and validator: signed addresses do
 * not allow HEAD. No request has a credential of this node.
 *
 * @param timeoutMs how long the server may take to start a response, in milliseconds
 * @throws TransferError when the address is rejected, cannot be reached or is a web page, or the server returns no size
 */
export async function urlSource(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<Source> {
	const first = await firstResponse(context, url, timeoutMs);
	checkNoPage(url, first);
	const size = sizeOf(url, first);
	const validator = strongValidatorOf(first);
	const nameInHeader = dispositionFileName(first.header('content-disposition'));
	return {
		size,
		fileName: nameInHeader ?? urlFileName(first.url) ?? urlFileName(url),
		isImmutable: validator !== undefined,
		async *bytes(offset, signal) {
			// A server may shorten a range (RFC 9110 §14.4).
			for (let [start, end] = [offset, size]; start < size; start = end) {
				const isPart = start > 0 && validator !== undefined;
				const headers = isPart ? { Range: `bytes=${start}-`, 'If-Range': validator } : undefined;
				const response = await requestFile(context, { url, headers, timeoutMs, signal });
				checkNoPage(url, response);
				end = endOf(response, start, { size, validator });
				if (end <= start) {
					response.close();
					// A server may return another ETag for a part than for the whole.
					throw new ContentMismatchError(`${new URL(url).host} returned another size or ETag than before`);
				}
				// A server without ranges returns the whole file.
				const rest = skipBytes(response.body, response.statusCode === 206 ? 0 : start);
				yield* assertLength(closing(signal, response.close, rest), end - start, {
					what: fileLabel(url),
					advice: DOWNLOAD_ADVICE,
				});
			}
		},
	};
}

/** Offset at which a response ends; 0 when the response does not begin at `start`, or the file has changed. */
function endOf(
	response: FileResponse,
	start: number,
	{ size, validator }: { size: number; validator: string | undefined },
): number {
	const isPart = response.statusCode === 206;
	const present = strongValidatorOf(response) ?? (isPart ? validator : undefined);
	if (validator !== undefined && present !== validator) return 0;
	if ((sizeInHeaders(response) ?? size) !== size) return 0;
	if (!isPart) return size;
	const [, first, last] = /^bytes (\d+)-(\d+)\//i.exec(response.header('content-range') ?? '') ?? [];
	return Number(first) === start ? Number(last) + 1 : 0;
}

/**
 * The response to {@link firstByte}. No upload exists yet whose recovery would repeat the request, so the request has the tries of any other.
 *
 * @throws TransferError after the last try
 */
async function firstResponse(
	context: IExecuteFunctions,
	url: string,
	timeoutMs: number,
): Promise<FileResponse> {
	const tries = new Tries();
	for (;;) {
		const response = await firstByte(context, url, timeoutMs).catch(async (error: unknown) => {
			const kind = error instanceof TransferError && error.isTransient ? 'passes' : 'final';
			const next = tries.next(policiesOf(context).request, kind);
			if (next === 'give up') throw error;
			await pause(next.pauseMs, cancelSignal(context));
		});
		if (response) return response;
	}
}

/** axios decodes one compressed byte to none, and removes Content-Encoding (docs/n8n-internals.md#compressed-files). */
async function firstByte(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<FileResponse> {
	const signal = cancelSignal(context);
	const response = await requestFile(context, { url, headers: { Range: 'bytes=0-0' }, timeoutMs, signal });
	try {
		if (response.statusCode === 200) return response;
		const chunks = response.body[Symbol.asyncIterator]();
		const limits = { idleTimeoutMs: timeoutMs, cancelled: signal };
		const { done } = await withIdleTimeout(response, limits, async () => await chunks.next());
		if (done === true) throw compressedError(url);
		return response;
	} catch (error) {
		throw toReadError(error);
	} finally {
		response.close();
	}
}

/** @throws TransferError for a web page, which a link may become when it expires */
function checkNoPage(url: string, response: FileResponse): void {
	if (!/^(text\/html|application\/xhtml\+xml)\b/i.test(response.header('content-type') ?? '')) return;
	response.close();
	throw fileError(
		url,
		'is a web page, not a video',
		'A share link opens a page, and an expired link may. Enter the link that downloads the file itself.',
	);
}

/** Size of the file, in bytes; throws TransferError without one. */
function sizeOf(url: string, response: FileResponse): number {
	const size = sizeInHeaders(response);
	if (size !== undefined) return size;
	const what = 'cannot be uploaded from its address: the server does not return its size (Content-Length)';
	throw fileError(url, what, DOWNLOAD_ADVICE);
}

/** Size of the whole file in bytes, where the headers state it. */
function sizeInHeaders({ header, statusCode }: FileResponse): number | undefined {
	const field = statusCode === 206 ? header('content-range')?.replace(/.*\//, '') : header('content-length');
	return /^\d+$/.test(field ?? '') ? Number(field) : undefined;
}

/** A strong ETag, which proves that a second read returns the same bytes (RFC 9110 §8.8.3). */
function strongValidatorOf({ header }: FileResponse): string | undefined {
	const etag = header('etag');
	return etag?.startsWith('"') === true ? etag : undefined;
}
