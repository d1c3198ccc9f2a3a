import { errorMessage } from '../shared/errorMessage';

/** An error of the transfer itself: there is no response of the service to show. */
export class TransferError extends Error {
	/**
	 * @param message for the user: what happened, and what to do
	 * @param isTransient whether a repetition can help
	 * @param retryAfterMs Retry-After of the response, in milliseconds
	 */
	constructor(
		message: string,
		readonly isTransient = false,
		readonly retryAfterMs = 0,
	) {
		super(message);
	}
}

/**
 * The file does not have the size that the upload was created with, and reading it again does not change that. Such an
 * upload can never be completed.
 */
export class WrongSizeError extends TransferError {}

/** The file at an address is another version than the one that the upload was started with. */
export class ChangedFileError extends TransferError {}

/** The upload that exists is not, or cannot be shown to be, of the file at hand. */
export class ContentMismatchError extends TransferError {
	/**
	 * @param reason why, as a clause
	 * @param isCorrupt whether bytes that differ were already sent, so that the upload is of no use for any file
	 */
	constructor(
		readonly reason: string,
		readonly isCorrupt = false,
	) {
		super(`The upload cannot be continued with this file: ${reason}`);
	}
}

/** What a source threw while it was read, as a passing error of the transfer. */
export function toReadError(error: unknown): TransferError {
	if (error instanceof TransferError) return error;
	return new TransferError(`The file could not be read completely (${errorMessage(error)})`, true);
}
