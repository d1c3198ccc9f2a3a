import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';

import { noteCarriedOut, operationError } from '../../transport/errors';
import { path, requestOnce } from '../../transport/request';
import type { ServiceResponse, ServiceRequest } from '../../transport/serviceRequest';

/** The file of an upload. */
export interface UploadFile {
	/** File name. */
	name: string;
	/** Bytes. */
	size: number;
	/** UUID of the target folder, which the service calls a gallery. */
	folder?: string;
}

/** Content type of the bytes (TUS 1.0.0, PATCH). */
export const OFFSET_TYPE = 'application/offset+octet-stream';

/** Creates an upload. */
export function createRequest(file: UploadFile): ServiceRequest {
	return {
		method: 'POST',
		path: path('videos'),
		headers: {
			'Tus-Resumable': '1.0.0',
			'Upload-Length': String(file.size),
			'Upload-Metadata': uploadMetadata(file.name),
			...(file.folder === undefined ? {} : { gallery: file.folder }),
		},
	};
}

/** Reads the state of an upload. */
export function stateRequest(uploadId: string): ServiceRequest {
	return {
		method: 'HEAD',
		path: path('videos', 'uploads', decodeUploadId(uploadId)),
		headers: { 'Tus-Resumable': '1.0.0' },
	};
}

/** `Upload-Metadata` (TUS 1.0.0, Creation): the word filename, a space, then the base64 of the file name in UTF-8. */
export function uploadMetadata(fileName: string): string {
	return `filename ${Buffer.from(fileName, 'utf8').toString('base64')}`;
}

/**
 * The ID of an upload that the service created.
 *
 * @throws NodeOperationError when the response does not contain it
 */
export function createdUploadId(context: IExecuteFunctions, response: ServiceResponse): string {
	const uploadId = extractUploadId(response.headers.location);
	if (uploadId !== undefined) return uploadId;
	throw noteCarriedOut(
		operationError(
			context,
			'The service created an upload but did not return its ID: the Location header of the response does not end in one',
			'That upload may hold the upload slot of the application until the service drops it.',
		),
	);
}

/**
 * Why a file cannot be the one that an upload was started with, as a clause.
 *
 * @param upload what is known of the upload, as a predicate
 * @param size bytes of the file
 */
export function otherSizeReason(upload: string, size: number): string {
	return `the upload ${upload}, and this file has ${size} bytes`;
}

/**
 * Bytes that the service has of an upload.
 *
 * @param timeoutMs how long the response may take, in milliseconds
 * @returns undefined when that cannot be read
 */
export async function readOffset(
	context: IExecuteFunctions,
	uploadId: string,
	timeoutMs: number,
): Promise<number | undefined> {
	const request = { ...stateRequest(uploadId), timeout: timeoutMs };
	return await requestOnce(context, request).then(uploadOffsetOf, () => undefined);
}

/** Bytes that the service has, where the response contains it. */
export function uploadOffsetOf(response: ServiceResponse): number | undefined {
	return parseByteCount(response.headers['upload-offset']);
}

/** Bytes that the whole file has, where the response contains it. */
export function uploadLengthOf(response: ServiceResponse): number | undefined {
	return parseByteCount(response.headers['upload-length']);
}

/** When the service sent a response, by its own clock (RFC 9110 §6.6.1); milliseconds since 1970. */
export function serviceTimeOf(response: ServiceResponse): number | undefined {
	const time = Date.parse(response.headers.date ?? '');
	return Number.isNaN(time) ? undefined : time;
}

function parseByteCount(header: string | undefined): number | undefined {
	if (header === undefined || !/^\d+$/.test(header)) return undefined;
	const number = Number(header);
	return Number.isSafeInteger(number) ? number : undefined;
}

/** Scheme and authority of an address; both may be missing (RFC 3986 §4.2). */
const ORIGIN = /^([a-z][a-z\d+.-]*:)?\/\/[^/]*/i;

/**
 * The upload ID: the last segment of an address, as it is written there. The address is the `Location` of a response, which
 * may be protocol-relative, or one that {@link uploadUrl} made. Undefined when there is no ID.
 */
export function extractUploadId(address: string | undefined): string | undefined {
	const path = address?.split(/[?#]/, 1)[0]?.replace(ORIGIN, '').replace(/\/+$/, '');
	// An address that ends where the ID belongs has none.
	if (path === undefined || path.endsWith('/videos/uploads')) return undefined;
	const last = path.split('/').at(-1)?.replace(/\s/g, encodeURIComponent) ?? '';
	return isUploadId(last) ? last : undefined;
}

/** Whether a text is one segment of a path, and not one of the dot segments, which lead elsewhere (RFC 3986 §3.3). */
export function isUploadId(text: string): boolean {
	const isSegment = text !== '' && !/[\s/?#]|\p{Surrogate}/u.test(text);
	return isSegment && !/^\.{1,2}$/.test(decodeUploadId(text));
}

/** The upload ID without percent-encoding, as the function that builds a path expects its segments. */
export function decodeUploadId(uploadId: string): string {
	try {
		return decodeURIComponent(uploadId);
	} catch {
		// A percent sign that encodes nothing.
		return uploadId;
	}
}

/** The address of an upload: under the credential's own base URL, whatever `Location` contains. */
export function uploadUrl(baseUrl: string, uploadId: string): string {
	return `${baseUrl}/v1/videos/uploads/${uploadId}`;
}

/** A response to a request of an upload that is not 2xx. */
export class UploadResponseError extends Error {
	/**
	 * @param error to show to the user when the upload ends with this response
	 * @param method of the request
	 */
	constructor(
		readonly error: NodeApiError,
		readonly method: ServiceRequest['method'],
		readonly response: ServiceResponse,
	) {
		super(error.message);
	}
}

/** The error to show to the user: that of a response, and any other one as it is. */
export function unwrapResponseError(error: unknown): unknown {
	return error instanceof UploadResponseError ? error.error : error;
}
