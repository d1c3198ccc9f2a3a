import type { IExecuteFunctions } from 'n8n-workflow';

import { ContentMismatchError, TransferError } from '../../sources/transfer';
import { hasOwnAdvice, isSlotBusy, isTooLarge, mayBeCarriedOut } from '../../transport/errorMeaning';
import { cancelSignal } from '../../transport/request';
import { UNKNOWN_UPLOAD_ADVICE } from '../../transport/requestError';
import { OperationError, ServiceError, around, asSentence, shownError } from '../../transport/serviceError';
import type { UploadProgress } from '../../upload/job';
import { UnknownUploadError } from '../../upload/tus/uploadRequests';

/** What is known of an upload without its error. */
export interface KnownUpload {
	/** Bytes of the file. */
	size?: number;
	/** The ID that the user entered, or that is complete. */
	uploadId?: string;
	/** Of an upload that was begun and is not complete. */
	progress?: UploadProgress;
	/** Whether another run resumes the upload. */
	mayResume?: boolean;
	/** Whether all bytes are sent, and only the video was not found or renamed. */
	isComplete?: boolean;
}

/**
 * The error of a failed upload: the reason and the state of the upload as the message, the next step as the description. The error
 * item contains `uploadId`, `offset` and `size`, each `null` where unknown, and `complete` for a complete upload. An error workflow finds
 * them in `context.output`.
 */
export function toUploadError(
	context: IExecuteFunctions,
	reason: unknown,
	known: KnownUpload,
): OperationError {
	const { isComplete, mayResume, progress, size } = known;
	const failure = reasonError(context, reason);
	const { uploadId = known.uploadId, offset = isComplete ? size : undefined } = progress ?? {};
	const details = { uploadId: uploadId ?? null, offset: offset ?? null, size: size ?? null };
	const output = isComplete ? { ...details, complete: true } : details;
	// An error about a file that may be complete has its own advice.
	if (progress?.uploadId === undefined || mayBeCarriedOut(failure)) return around(failure, { output });
	const standing = `Upload ${uploadId} ${standingOf(reason, offset, size)}.`;
	const isNamed = `${failure.message} `.includes(`pload ${uploadId} `);
	const message = isNamed ? failure.message : `${asSentence(failure.message)} ${standing}`;
	const isReplaced = progress.replaced?.uploadId === uploadId;
	const isGiven = known.uploadId !== undefined;
	const advice = nextStep(failure, reason, { isGiven, isReplaced, mayResume });
	return around(failure, { message, advice, output });
}

/** The reason alone, for an upload that was not created. */
export function reasonError(context: IExecuteFunctions, reason: unknown): OperationError {
	if (cancelSignal(context)?.aborted === true) return new OperationError('The execution was cancelled.');
	const advice =
		'Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume. If this n8n created it and received its ID, the log has the ID in the line "was created as".';
	const shown = shownError(context, reason instanceof UnknownUploadError ? reason.error : reason);
	return isSlotBusy(shown) ? around(shown, { advice }) : shown;
}

const FROM_BEGINNING = 'Run this again to upload the file from its beginning.';

/** Where an upload stands, as the rest of a sentence about it; bytes. */
function standingOf(reason: unknown, offset: number | undefined, size: number | undefined): string {
	if (reason instanceof UnknownUploadError) return 'is unknown to the service';
	// The upload may be larger than this file, and even complete.
	if (reason instanceof ContentMismatchError) return 'stays as it is';
	return offset === undefined ? 'may be unfinished' : `has ${offset} of ${size} bytes`;
}

/** What to do about an upload that exists. */
function nextStep(
	failure: OperationError,
	reason: unknown,
	{ isGiven, isReplaced, mayResume }: Record<'isGiven' | 'isReplaced' | 'mayResume', boolean | undefined>,
): string {
	const again = mayResume
		? 'Run this again to resume it, or use Upload → Resume with this ID.'
		: 'Use Upload → Resume with this ID.';
	if (reason instanceof UnknownUploadError)
		return isGiven
			? UNKNOWN_UPLOAD_ADVICE
			: 'The service does not know it: run this again to start a new one.';
	if (reason instanceof ContentMismatchError)
		return isGiven
			? 'Use the same file that the upload was started with. Download it first if it is at a URL.'
			: FROM_BEGINNING;
	if (isTooLarge(failure))
		return `Set Max Request Size in the options of this node to less than the limit. ${again}`;
	// Errors of account, record and Max Wait. After any other error, another try from the offset is the better advice.
	const isOwnAdvice =
		failure instanceof ServiceError
			? hasOwnAdvice(failure)
			: !(reason instanceof TransferError && reason.isTransient);
	if (isOwnAdvice && failure.advice)
		return isReplaced
			? failure.advice
			: `${failure.advice} Then complete the upload: use Upload → Resume with this ID.`;
	return isReplaced ? FROM_BEGINNING : again;
}
