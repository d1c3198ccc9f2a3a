/** A fault of the transfer itself, where the service answered nothing that could be shown. */
export class TransferError extends Error {
	/**
	 * @param message one sentence for the user
	 * @param isTransient whether a repetition can help
	 * @param retryAfterMs how long the other side asks to wait, in milliseconds
	 */
	constructor(
		message: string,
		readonly isTransient: boolean,
		readonly retryAfterMs = 0,
	) {
		super(message);
	}
}
