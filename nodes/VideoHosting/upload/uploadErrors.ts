import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { cancelSignal } from '../transport/request';
import { unwrapResponseError } from './tus/responseError';
import type { UploadState } from './uploadJob';

/** An upload that did not complete: why, and how far it got. */
export class UploadInterruptedError extends Error {
	/**
	 * @param reason the error that ended it
	 * @param cancelled whether the execution was cancelled
	 */
	constructor(
		readonly reason: unknown,
		readonly state: UploadState,
		readonly cancelled: boolean,
	) {
		super(errorMessage(reason));
	}
}

/** The error for an upload that ended with `error`, or with the execution. */
export function interruptedError(
	context: IExecuteFunctions,
	error: unknown,
	state: UploadState,
): UploadInterruptedError {
	const isCancelled = cancelSignal(context)?.aborted === true;
	return new UploadInterruptedError(unwrapResponseError(error), state, isCancelled);
}
