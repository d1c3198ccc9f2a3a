import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { path } from '../../service/request';
import type { ServiceResponse, ServiceRequest } from '../../service/serviceRequest';
import { extractUploadId } from './uploadUrl';

/** The file as the service knows it (13, 14). */
export interface UploadFile {
	fileName: string;
	/** Bytes. */
	size: number;
	/** UUID of the target gallery. */
	folder?: string;
}

/** Content type of the bytes (14). */
export const OFFSET_TYPE = 'application/offset+octet-stream';

/** Reference 13. */
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

/** Reference 15. */
export function stateRequest(uploadId: string, itemIndex: number): ServiceRequest {
	return {
		method: 'HEAD',
		path: path('videos', 'uploads', uploadId),
		headers: { 'Tus-Resumable': '1.0.0' },
		itemIndex,
	};
}

/** `Upload-Metadata` (13, 14): the word filename, a space, then the base64 of the file name in UTF-8. */
export function uploadMetadata(fileName: string): string {
	return `filename ${Buffer.from(fileName, 'utf8').toString('base64')}`;
}

/**
 * The ID of an upload that the service created.
 *
 * @throws NodeOperationError when the answer does not say it
 */
export function createdUploadId(
	context: IExecuteFunctions,
	answer: ServiceResponse,
	itemIndex: number,
): string {
	const uploadId = extractUploadId(answer.headers.location);
	if (uploadId !== undefined) return uploadId;
	throw new NodeOperationError(
		context.getNode(),
		'The service created an upload without saying which: its answer has no Location that ends in an upload ID',
		{ itemIndex },
	);
}

/** What to do about a file that an upload was not started with: running it again as it is would not help. */
export const FILE_MISMATCH_ADVICE = 'Give the same file that the upload was started with.';

/**
 * The error for a file that an upload was not started with.
 *
 * @param upload what is known of the upload, as the predicate of a sentence
 * @param size bytes of the file
 */
export function fileMismatchError(
	context: IExecuteFunctions,
	upload: string,
	size: number,
	itemIndex: number,
): NodeOperationError {
	return new NodeOperationError(
		context.getNode(),
		`The file does not belong to this upload: the upload ${upload}, and this file has ${size} bytes`,
		{ itemIndex, description: FILE_MISMATCH_ADVICE },
	);
}

/** Bytes that the service has, where the answer says so. */
export function uploadOffsetOf(answer: ServiceResponse): number | undefined {
	return parseByteCount(answer.headers['upload-offset']);
}

/** Bytes that the whole file has, where the answer says so. */
export function uploadLengthOf(answer: ServiceResponse): number | undefined {
	return parseByteCount(answer.headers['upload-length']);
}

function parseByteCount(header: string | undefined): number | undefined {
	if (header === undefined || !/^\d+$/.test(header)) return undefined;
	const number = Number(header);
	return Number.isSafeInteger(number) ? number : undefined;
}
