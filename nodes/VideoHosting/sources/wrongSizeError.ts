import { TransferError } from './transferError';

/**
 * The file does not have the size that the upload was created with, and reading it again does not change that. Such an
 * upload can never be completed.
 */
export class WrongSizeError extends TransferError {
	/** @param message one sentence for the user */
	constructor(message: string) {
		super(message, false);
	}
}
