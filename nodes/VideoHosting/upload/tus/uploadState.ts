import type { IExecuteFunctions, NodeApiError } from 'n8n-workflow';

import { TransferError } from '../../sources/transferErrors';
import { isJsonOrNone, NOT_FOUND } from '../../transport/response';
import { failureIn, hasStatus, unreadableResponseError } from '../../transport/errors';
import { sendAuthenticated } from '../../transport/request';
import type { ServiceRequest, ServiceResponse } from '../../transport/serviceRequest';
import { serviceTimeOf, stateRequest, uploadLengthOf, uploadOffsetOf } from './uploadRequests';

/** The service reports an upload as unknown: it has expired, or is finished and dropped. */
export class UnknownUploadError extends Error {
	/** @param error to show to the user when the upload ends with it */
	constructor(readonly error: NodeApiError) {
		super(error.message);
	}
}

/** What the service reports of an upload. */
export interface UploadState {
	/** Bytes that it has. */
	offset: number;
	/** Bytes that the whole file has. */
	length?: number;
	/** Service time of the response; milliseconds since 1970. */
	time?: number;
}

/**
 * Requests what the service has of an upload.
 *
 * @param droppedSize bytes of a complete upload, which the service may have dropped
 * @throws as {@link requestOfUpload}; NodeApiError when the response does not contain the offset
 */
export async function readState(
	context: IExecuteFunctions,
	uploadId: string,
	{ droppedSize, timeoutMs }: { droppedSize?: number; timeoutMs?: number },
): Promise<UploadState> {
	const request = { ...stateRequest(uploadId), timeout: timeoutMs };
	const response = await requestOfUpload(context, request).catch((error: unknown) => {
		if (error instanceof UnknownUploadError && droppedSize !== undefined) return undefined;
		throw error;
	});
	if (!response) return { offset: droppedSize ?? 0 };
	const offset = uploadOffsetOf(response);
	if (offset === undefined) {
		const missing = 'The response of the service has no Upload-Offset: how many bytes it has is not known.';
		throw unreadableResponseError(context, request, missing);
	}
	return { offset, length: uploadLengthOf(response), time: serviceTimeOf(response) };
}

/**
 * Sends one request of an upload that exists.
 *
 * @throws UnknownUploadError when the service does not find the upload of a HEAD; TransferError when a gateway says so; NodeApiError
 * for any other response that is no success, or none
 */
export async function requestOfUpload(
	context: IExecuteFunctions,
	request: ServiceRequest,
): Promise<ServiceResponse> {
	const response = await sendAuthenticated(context, request);
	const error = failureIn(context, request, response);
	if (!error) return response;
	if (request.method !== 'HEAD' || !hasStatus(error, NOT_FOUND)) throw error;
	throw isJsonOrNone(response) ? new UnknownUploadError(error) : new TransferError(error.message, true);
}
