import type { IExecuteFunctions } from 'n8n-workflow';

import { backoffDelay, pause } from '../shared/pause';
import { retryPolicy } from '../shared/retryPolicy';
import { cancelSignal } from '../transport/request';
import { dispositionFileName, urlFileName } from './fileNames';
import { DOWNLOAD_ADVICE, fileError, fileLabel, requestFile, type FileResponse } from './fileRequest';
import { assertLength, closing, skipBytes, type Source } from './source';
import { ContentMismatchError, toReadError, TransferError } from './transferErrors';

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
	const nameInHeader = dispositionFileName(first.header('content-disposition'));
	return {
		size,
		fileName: nameInHeader ?? urlFileName(first.url) ?? urlFileName(url),
		isImmutable: validator !== undefined,
		async *bytes(offset, signal) {
			const headers: Record<string, string> = {};
			if (offset > 0) headers.Range = `bytes=${offset}-`;
			if (offset > 0 && validator !== undefined) headers['If-Range'] = validator;
			const response = await requestFile(context, { url, headers, timeoutMs, signal });
			if (!isSameFile(response, offset, { size, validator })) {
				response.close();
				throw new ContentMismatchError(`it changed at ${new URL(url).host} while it was uploaded`);
			}
			// A server without ranges returns the whole file.
			const rest = skipBytes(response.body, response.statusCode === 206 ? 0 : offset);
			yield* assertLength(closing(signal, response.close, rest), size - offset, fileLabel(url));
		},
	};
}

/** Whether a response has the whole file, or the part from an offset on, as it was when the file was first seen. */
function isSameFile(
	response: FileResponse,
	offset: number,
	{ size, validator }: { size: number; validator: string | undefined },
): boolean {
	const present = strongValidatorOf(response);
	if (response.statusCode === 200)
		return Number(response.header('content-length')) === size && present === validator;
	const range = /^bytes (\d+)-\d+\/(\d+)$/i.exec(response.header('content-range') ?? '');
	const isUnchanged = present === undefined || present === validator;
	return Number(range?.[1]) === offset && Number(range?.[2]) === size && isUnchanged;
}

async function firstResponse(
	context: IExecuteFunctions,
	url: string,
	timeoutMs: number,
): Promise<FileResponse> {
	const signal = cancelSignal(context);
	const { errorPause } = retryPolicy;
	for (let failures = 1; ; failures++) {
		const response = await requestFile(context, { url, timeoutMs, signal }).catch(toReadError);
		if (!(response instanceof TransferError)) return response;
		signal?.throwIfAborted();
		if (!response.isTransient || failures >= TRIES) throw response;
		const leastMs = Math.min(response.retryAfterMs, errorPause.longestMs);
		await pause(backoffDelay(failures, errorPause, leastMs), signal);
	}
}

/** Bytes. */
function sizeOf(url: string, { header }: FileResponse): number {
	if (/^(text\/html|application\/xhtml\+xml)\b/i.test(header('content-type') ?? '')) {
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

/** What proves a second read to return the same bytes: a strong ETag (RFC 9110 §8.8.3). */
function strongValidatorOf({ header }: FileResponse): string | undefined {
	const etag = header('etag');
	return etag?.startsWith('"') === true ? etag : undefined;
}
