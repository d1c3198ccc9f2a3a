import type { IExecuteFunctions } from 'n8n-workflow';

import { retry } from '../shared/patience';
import { POLICIES } from '../shared/policies';
import { byteCount } from '../shared/text';
import { ageOf } from '../shared/waiting';
import { cancelSignal } from '../transport/request';
import { dispositionFileName, urlFileName } from './fileNames';
import {
	DOWNLOAD_ADVICE,
	fileError,
	fileLabel,
	rejectedFileError,
	requestAny,
	requestFile,
	type FileRequest,
	type FileResponse,
} from './fileRequest';
import { NoVideoError, statedNoVideo } from './noVideo';
import { assertLength, skipBytes, type Source } from './source';
import { ContentMismatchError, TransferError } from './transfer';

/**
 * A video at a web address, streamed and never stored. A GET for its first byte returns name, size and validator: signed addresses do
 * not allow HEAD. No request has a credential of this node.
 *
 * @param timeoutMs how long the server may take to start a response, in milliseconds
 * @throws TransferError when the address is rejected or cannot be reached, or the server returns no size
 */
export async function urlSource(context: IExecuteFunctions, url: string, timeoutMs: number): Promise<Source> {
	const label = fileLabel(url);
	const request = { url, timeoutMs, signal: cancelSignal(context) };
	const { response: first, hasRanges } = await probe(context, request);
	const probedAt = Date.now();
	const mimeType = first.header('content-type');
	const stated = statedNoVideo(mimeType);
	const size = sizeInHeaders(first);
	if (size === undefined) {
		if (stated) throw new NoVideoError(label, stated);
		const what = 'cannot be uploaded from its address: the server does not return its size (Content-Length)';
		throw fileError(url, what, DOWNLOAD_ADVICE);
	}
	const validator = strongValidatorOf(first);
	let asksForParts = hasRanges && validator !== undefined;
	const nameInHeader = dispositionFileName(first.header('content-disposition'));
	return {
		size,
		fileName: nameInHeader ?? urlFileName(first.url) ?? urlFileName(url),
		mimeType,
		label,
		isImmutable: validator !== undefined,
		async *bytes(offset, signal) {
			// A server may shorten a range (RFC 9110 §14.4): a cache, to the end of its block.
			for (let start = offset; start < size;) {
				const isPart = start > 0 && asksForParts;
				const headers = isPart ? { Range: `bytes=${start}-`, 'If-Range': validator ?? '' } : undefined;
				const wasReadable = ageOf(probedAt) < POLICIES.sourceMs;
				const response = await requestFile(context, { url, headers, timeoutMs, signal, wasReadable });
				try {
					// A link that has expired meanwhile may open a page.
					const instead = statedNoVideo(response.header('content-type'));
					if (instead && !stated) throw new NoVideoError(label, instead);
					const { first, end } = partOf(response, { size, validator });
					if (first <= start && start < end) {
						// A server without ranges returns the whole file; a cache may begin where its block begins.
						const rest = skipBytes(response.body, start - first);
						yield* assertLength(rest, end - start, { what: label, advice: DOWNLOAD_ADVICE });
						start = end;
					} else if (isPart) asksForParts = false;
					else throw mismatch(response, 'another part than was asked for');
				} finally {
					response.close();
				}
			}
		},
	};
}

/**
 * The bytes of the file that a response has: the first one, and the one after the last. Without readable bounds, both are the same.
 *
 * @throws ContentMismatchError when the file has changed: an editor has exported the video again to the same address
 */
function partOf(
	response: FileResponse,
	{ size, validator }: { size: number; validator: string | undefined },
): { first: number; end: number } {
	const isPart = response.statusCode === 206;
	const present = strongValidatorOf(response) ?? (isPart ? validator : undefined);
	const isSame = validator === undefined || present === validator;
	// The error does not say that the file has changed: a server may return another ETag for a part than for the whole.
	if (!isSame || (sizeInHeaders(response) ?? size) !== size)
		throw mismatch(response, 'another size or ETag than before');
	if (!isPart) return { first: 0, end: size };
	const [, ...bounds] = /^bytes (\d+)-(\d+)\//i.exec(response.header('content-range') ?? '') ?? [];
	const [first = 0, last = -1] = bounds.map(byteCount);
	const length = byteCount(response.header('content-length')) ?? last + 1 - first;
	const isWhole = last < size && length === last + 1 - first;
	return { first, end: isWhole ? last + 1 : first };
}

/** @param what the server returned */
function mismatch({ url }: FileResponse, what: string): ContentMismatchError {
	return new ContentMismatchError(`${new URL(url).host} returned ${what}`);
}

/**
 * The response to a request for the first byte, or for the whole file where a server does not answer that, closed. No upload exists yet
 * whose recovery would repeat the request, so the request has the tries of any other.
 *
 * @throws TransferError after the last try
 */
async function probe(context: IExecuteFunctions, request: FileRequest) {
	return await retry(POLICIES.request, async () => await probeOnce(context, request), {
		kindOf: (error) => (error instanceof TransferError && error.isTransient ? 'passes' : 'final'),
		signal: request.signal,
	});
}

async function probeOnce(context: IExecuteFunctions, request: FileRequest) {
	let response = await requestAny(context, { ...request, headers: { Range: 'bytes=0-0' } });
	response.close();
	const { statusCode } = response;
	const hasRanges = statusCode === 200 || (statusCode === 206 && sizeInHeaders(response) !== undefined);
	if (!hasRanges) {
		response = await requestFile(context, request);
		response.close();
	}
	if (response.isCompressed()) throw await rejectedFileError(request, response);
	return { response, hasRanges };
}

/** Size of the whole file in bytes, where the headers state it. */
function sizeInHeaders({ header, statusCode }: FileResponse): number | undefined {
	return byteCount(
		statusCode === 206 ? header('content-range')?.split('/').at(-1) : header('content-length'),
	);
}

/** A strong ETag, which proves that a second read returns the same bytes (RFC 9110 §8.8.3). */
function strongValidatorOf({ header }: FileResponse): string | undefined {
	const etag = header('etag');
	return etag?.startsWith('"') === true ? etag : undefined;
}
