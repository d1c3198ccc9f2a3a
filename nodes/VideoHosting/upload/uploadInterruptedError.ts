import { errorMessage } from '../shared/errorMessage';
import type { UploadFigures } from './uploadJob';

/** An upload that did not complete: why, and how far it got. */
export class UploadInterruptedError extends Error {
	/**
	 * @param reason the error that ended it
	 * @param cancelled whether the execution was cancelled
	 */
	constructor(
		readonly reason: unknown,
		readonly figures: UploadFigures,
		readonly cancelled: boolean,
	) {
		super(errorMessage(reason));
	}
}
