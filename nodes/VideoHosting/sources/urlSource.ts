import type { IExecuteFunctions } from 'n8n-workflow';

import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { cancelSignal } from '../transport/request';
import { dispositionFileName, urlFileName } from './fileNames';
import { DOWNLOAD_ADVICE, fileError, fileLabel, requestFile, type FileResponse } from './fileRequest';
import { assertLength, closing, skipBytes, type Source } from './source';
import { ContentMismatchError, TransferError } from './transferErrors';

/** Of the first request, before there is anything to recover. */
const TRIES = 3;

/**
 * A file at a web address, streamed from there and never stored. Name, size and validator are in the headers of one GET, which is
 * closed then: signed addresses do not allow HEAD. It is requested without any credential of this node.
 *
 * @param timeoutMs how long the server may take to start a response, in milliseconds
 * @throws TransferError when the address is rejected, cannot be reached or is a web page, or the server returns no size
 */
export async function urlSource(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<Source> {
	const first = await firstResponse(context, url, timeoutMs);
	first.close();
	const size = sizeOf(url, first);
	const validator = strongValidatorOf(first);
	/** The bytes of the file from an offset on, once the response is known to be about the same file. */
	async function* read(response: FileResponse, offset: number): AsyncGenerator<Uint8Array, void, undefined> {
		const isPart = response.statusCode === 206;
		const part = /^bytes (\d+)-\d+\/(\d+)$/i.exec(response.header('content-range') ?? '');
		const isWhatWasRequested = isPart
			? Number(part?.[1]) === offset && Number(part?.[2]) === size
			: Number(response.header('content-length')) === size;
		// A 206 to If-Range may leave Last-Modified out (RFC 9110 §15.3.7).
		const present = strongValidatorOf(response) ?? (isPart ? validator : undefined);
		if (!isWhatWasRequested || present !== validator) {
			throw new ContentMismatchError(`it changed at ${new URL(url).host} while it was uploaded`);
		}
		// A server without ranges returns the whole file.
		yield* skipBytes(response.body, isPart ? 0 : offset);
	}
	return {
		size,
		fileName:
			dispositionFileName(first.header('content-disposition')) ?? urlFileName(first.url) ?? urlFileName(url),
		isImmutable: validator !== undefined,
		async *bytes(offset, signal) {
			const range = {
				Range: `bytes=${offset}-`,
				...(validator === undefined ? {} : { 'If-Range': validator }),
			};
			const headers = offset > 0 ? range : undefined;
			const response = await requestFile(context, { url, headers, timeoutMs, signal });
			const rest = closing(signal, response.close, read(response, offset));
			yield* assertLength(rest, size - offset, fileLabel(url));
		},
	};
}

async function firstResponse(
	context: IExecuteFunctions,
	url: string,
	timeoutMs: number,
): Promise<FileResponse> {
	const signal = cancelSignal(context);
	const { errorPause } = retryPolicy;
	for (let failures = 1; ; failures++) {
		try {
			return await requestFile(context, { url, timeoutMs, signal });
		} catch (error) {
			signal?.throwIfAborted();
			if (!(error instanceof TransferError && error.isTransient) || failures >= TRIES) throw error;
			const leastMs = Math.min(error.retryAfterMs, errorPause.longestMs);
			await pause(backoffDelay(failures, errorPause, leastMs), signal);
		}
	}
}

/** Bytes. */
function sizeOf(url: string, { header }: FileResponse): number {
	if (/^text\/html\b/i.test(header('content-type') ?? '')) {
		throw fileError(
			url,
			'is a web page, not a video',
			'A share link opens a page that shows the file. Enter the link that downloads the file itself.',
		);
	}
	const length = header('content-length') ?? '';
	if (/^\d+$/.test(length)) return Number(length);
	const what = 'cannot be uploaded from its address: the server does not return its size (Content-Length)';
	throw fileError(url, what, DOWNLOAD_ADVICE);
}

/** What proves a second read to return the same bytes (RFC 9110 §13.1.5): a strong ETag, or Last-Modified where there is no ETag. */
function strongValidatorOf({ header }: FileResponse): string | undefined {
	const etag = header('etag');
	if (etag === undefined) return header('last-modified');
	return etag.startsWith('"') ? etag : undefined;
}
