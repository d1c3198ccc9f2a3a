import { TransferError } from './transferError';

/** The file at an address is another version than the one that the upload was started with. */
export class ChangedFileError extends TransferError {
	/** @param message one sentence for the user */
	constructor(message: string) {
		super(message, false);
	}
}
