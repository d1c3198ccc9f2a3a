import { errorMessage } from '../shared/errorMessage';

/** An error of the transfer itself: there is no response of the service to show. */
export class TransferError extends Error {
	/**
	 * @param message what happened
	 * @param isTransient whether a repetition can help
	 * @param description what to do about it
	 */
	constructor(
		message: string,
		readonly isTransient = false,
		readonly description = '',
	) {
		super(message);
	}
}

const RUN_AGAIN = 'Run this again. If it fails each time, download the file first.';

/** The existing upload is not proven to be of this file. */
export class ContentMismatchError extends TransferError {
	/** @param reason why, as a clause */
	constructor(readonly reason: string) {
		super(`The upload cannot be continued with this file: ${reason}`, false, RUN_AGAIN);
	}
}

/** Wraps what a source threw while it was read in a transient error. */
export function toReadError(error: unknown): TransferError {
	if (error instanceof TransferError) return error;
	const message = `The file could not be read completely (${errorMessage(error)})`;
	return new TransferError(message, true, 'Try again later.');
}
