import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { path } from '../../transport/request';
import type { ServiceResponse, ServiceRequest } from '../../transport/serviceRequest';
import { decodeUploadId, extractUploadId } from './uploadUrl';

/** The file as the service knows it. */
export interface UploadFile {
	fileName: string;
	/** Bytes. */
	size: number;
	/** UUID of the target gallery. */
	folder?: string;
}

/** Content type of the bytes (TUS 1.0.0, PATCH). */
export const OFFSET_TYPE = 'application/offset+octet-stream';

/** Creates an upload. */
export function createRequest(file: UploadFile, itemIndex: number): ServiceRequest {
	return {
		method: 'POST',
		path: path('videos'),
		headers: {
			'Tus-Resumable': '1.0.0',
			'Upload-Length': String(file.size),
			'Upload-Metadata': uploadMetadata(file.fileName),
			...(file.folder === undefined ? {} : { gallery: file.folder }),
		},
		itemIndex,
	};
}

/** Reads the state of an upload. */
export function stateRequest(uploadId: string, itemIndex: number): ServiceRequest {
	return {
		method: 'HEAD',
		path: path('videos', 'uploads', decodeUploadId(uploadId)),
		headers: { 'Tus-Resumable': '1.0.0' },
		itemIndex,
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
export function createdUploadId(
	context: IExecuteFunctions,
	response: ServiceResponse,
	itemIndex: number,
): string {
	const uploadId = extractUploadId(response.headers.location);
	if (uploadId !== undefined) return uploadId;
	throw new NodeOperationError(
		context.getNode(),
		'The service created an upload but did not return its ID: the Location header of the response does not end in one',
		{
			itemIndex,
			description: 'That upload may hold the upload slot of the application until the service drops it.',
		},
	);
}

/** What to do when the file is not the one that the upload was started with: a retry does not help. */
export const FILE_MISMATCH_ADVICE = 'Use the same file that the upload was started with.';

/**
 * Why a file cannot be the one that an upload was started with, as a clause.
 *
 * @param upload what is known of the upload, as a predicate
 * @param size bytes of the file
 */
export function otherSizeReason(upload: string, size: number): string {
	return `the upload ${upload}, and this file has ${size} bytes`;
}

/** The error when the user entered the ID of another file's upload. */
export function fileMismatchError(
	context: IExecuteFunctions,
	uploadId: string,
	reason: string,
	itemIndex: number,
): NodeOperationError {
	const message = `The file does not belong to upload ${uploadId}: ${reason}`;
	return new NodeOperationError(context.getNode(), message, { itemIndex, description: FILE_MISMATCH_ADVICE });
}

/**
 * The error for an offset beyond the bytes that were sent: the upload would have a gap.
 *
 * @param range `end` is the offset after the last byte that was sent; both in bytes
 */
export function impossibleOffsetError(
	context: IExecuteFunctions,
	offset: number,
	{ end, size }: { end: number; size: number },
	itemIndex: number,
): NodeOperationError {
	const limit =
		offset > size
			? `the file has only ${size} bytes`
			: `only the first ${end} of its ${size} bytes were sent`;
	return new NodeOperationError(
		context.getNode(),
		`The service reports an Upload-Offset of ${offset} bytes, but ${limit}`,
		{
			itemIndex,
			description:
				'Its copy of the file cannot be right. Check that no other program writes to this upload, and start a new one.',
		},
	);
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
