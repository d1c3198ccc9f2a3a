/** What the service answers: a JSON body, or `text` sent as it is, or nothing. */
export interface Answer {
	status: number;
	json?: unknown;
	text?: string;
	headers?: Record<string, string>;
}

/** Ends a request with the reference's error form, `{ "error": text }`. */
export class Refusal extends Error {
	constructor(
		readonly status: number,
		readonly error: string,
		/** What exactly was wrong: recorded for tests, not sent. */
		readonly reason = error,
	) {
		super(`${status} ${error}: ${reason}`);
	}

	toAnswer(): Answer {
		return { status: this.status, json: { error: this.error } };
	}
}

export const badRequest = (reason: string) => new Refusal(400, 'Bad Request', reason);
export const folderNotFound = () => new Refusal(404, 'Folder not found');
export const internalError = () => new Refusal(500, 'Internal Server Error');
export const tooManyUploads = () =>
	new Refusal(429, 'Too many simultaneous uploads, please send one file at a time');
