import type { NodeApiError } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import type { ServiceRequest, ServiceResponse } from '../transport/serviceRequest';
import type { SlotHolder } from './slot';
import type { UploadState } from './uploadJob';

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

/** An upload that did not complete: why, and how far it got. */
export class UploadInterruptedError extends Error {
	/**
	 * @param reason the error that ended it
	 * @param cancelled whether the execution was cancelled
	 */
	constructor(
		readonly reason: unknown,
		readonly state: UploadState,
		readonly cancelled: boolean,
	) {
		super(errorMessage(reason));
	}
}

/** The upload slot did not become free. */
export class SlotHeldError extends Error {
	/**
	 * @param reason the service's error response
	 * @param holder what holds the slot, where it is known
	 */
	constructor(
		readonly reason: unknown,
		readonly holder: SlotHolder | undefined,
	) {
		super(errorMessage(reason));
	}
}

/** The error to show to the user: that of a response, and any other one as it is. */
export function unwrapResponseError(error: unknown): unknown {
	return error instanceof UploadResponseError ? error.error : error;
}
