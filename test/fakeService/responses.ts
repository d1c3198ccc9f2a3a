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

	toResponse(): ResponseSpec {
		return { status: this.status, json: { error: this.error } };
	}
}

export const badRequest = (reason: string) => new ErrorResponse(400, 'Bad Request', reason);
export const folderNotFound = () => new ErrorResponse(404, 'Folder not found');
export const internalError = () => new ErrorResponse(500, 'Internal Server Error');
export const tooManyUploads = () =>
	new ErrorResponse(429, 'Too many simultaneous uploads, please send one file at a time');
