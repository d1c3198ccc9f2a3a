/** An error of the transfer itself: there is no response of the service to show. */
export class TransferError extends Error {
	/**
	 * @param message one sentence for the user
	 * @param isTransient whether a repetition can help
	 * @param retryAfterMs Retry-After of the response, in milliseconds
	 */
	constructor(
		message: string,
		readonly isTransient: boolean,
		readonly retryAfterMs = 0,
	) {
		super(message);
	}
}
