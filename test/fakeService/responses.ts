/** A response of the service: a JSON body, or `text` sent as it is, or nothing. */
export interface ResponseSpec {
	status: number;
	json?: unknown;
	text?: string;
	headers?: Record<string, string>;
}

/** Ends a request with the reference's error form, `{ "error": text }`. */
export class ErrorResponse extends Error {
	constructor(
		readonly status: number,
		readonly error: string,
		/** What exactly was wrong: recorded for tests, not sent. */
		readonly reason = error,
	) {
		super(`${status} ${error}: ${reason}`);
	}

	/** @param asSuccess see the setting `errorsAsSuccess`; a missing or expired token keeps its status */
	toResponse(asSuccess: 'off' | 'error' | 'success' = 'off'): ResponseSpec {
		const json = asSuccess === 'success' ? { success: false, message: this.error } : { error: this.error };
		return { status: asSuccess === 'off' || this.status === 401 ? this.status : 200, json };
	}
}

export const badRequest = (reason: string) => new ErrorResponse(400, 'Bad Request', reason);
export const folderNotFound = () => new ErrorResponse(404, 'Folder not found');
export const internalError = () => new ErrorResponse(500, 'Internal Server Error');
export const tooManyUploads = () =>
	new ErrorResponse(429, 'Too many simultaneous uploads, please send one file at a time');
