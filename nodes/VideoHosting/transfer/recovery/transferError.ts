/** An error of the transfer itself: there is no response of the service to show. */
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
