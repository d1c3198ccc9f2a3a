import { TransferError } from './transferError';

/** The upload that exists is not, or cannot be shown to be, of the file at hand. */
export class ContentMismatchError extends TransferError {
	/**
	 * @param reason why, as a clause
	 * @param isSpoiled whether bytes that differ were already sent, so that the upload is of no use for any file
	 */
	constructor(
		readonly reason: string,
		readonly isSpoiled: boolean,
	) {
		super(`The upload cannot be continued with this file: ${reason}`, false);
	}
}
