import type { NodeApiError } from 'n8n-workflow';

import type { ServiceRequest, ServiceResponse } from '../../transport/serviceRequest';

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
