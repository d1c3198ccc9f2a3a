import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { asSentence } from '../../service/errors';
import { ContentMismatchError } from '../../transfer/recovery/contentMismatchError';
import { UploadInterruptedError } from '../../transfer/recovery/uploadInterruptedError';
import { FILE_MISMATCH_ADVICE } from '../../transfer/tus/uploadRequests';
import type { UploadFigures } from '../../transfer/uploadJob';
import { setErrorDetails } from '../errorItem';
import { heldSlotAdvice, LOST_CREATE_ADVICE, slotAdvice } from './slotAdvice';

interface Item {
	itemIndex: number;
	/** Bytes of the file, once known. */
	size: number | undefined;
	/** That the user entered. */
	uploadId: string | undefined;
}

/**
 * The error of a failed upload: what happened, and all that is needed to continue. The error item contains `uploadId`,
 * `offset` and `size` next to the message, each `null` where it is not known.
 */
export function toUploadError(
	context: IExecuteFunctions,
	error: unknown,
	{ itemIndex, size, uploadId: given }: Item,
): NodeApiError | NodeOperationError {
	const interrupted = error instanceof UploadInterruptedError ? error : undefined;
	const reason = interrupted ? interrupted.reason : error;
	const figures = interrupted?.figures;
	const { uploadId = given, offset } = figures ?? {};
	const isCancelled = interrupted?.cancelled === true;
	const failure = isCancelled
		? new NodeOperationError(context.getNode(), 'The execution was cancelled')
		: nodeError(context, reason, itemIndex);

	const status = failure instanceof NodeApiError ? failure.httpCode : undefined;
	if (status === '429') failure.description = slotAdvice(figures?.slotHolder);
	else if (status === '413')
		failure.description = 'Set Max Request Size in the options of this node to less than that limit.';
	const isSpoiled = figures?.isSpoiled === true;
	const isOtherFile = isSpoiled || failure.description === FILE_MISMATCH_ADVICE;
	const parts = [asSentence(failure.message)];
	if (figures && !isCancelled) parts.push(...circumstances(figures));
	if (isSpoiled && uploadId !== undefined) {
		parts.push(
			`Upload ${uploadId} cannot be completed and is not resumed; it may occupy the upload slot until the service drops it.`,
		);
	}
	if (uploadId !== undefined && offset !== undefined && size !== undefined && !isOtherFile) {
		const isChanged = reason instanceof ContentMismatchError;
		const standing = isCancelled ? 'is unfinished' : `stands at ${offset} of ${size} bytes`;
		const isUnknown = figures?.isUnknown === true;
		parts.push(
			isUnknown
				? unknownUploadAdvice(uploadId, given !== undefined)
				: isChanged
					? changedFileAdvice(uploadId, offset)
					: resumeAdvice(uploadId, standing),
		);
	}
	if (parts.length > 1) failure.message = parts.join(' ');
	setErrorDetails(failure, { uploadId: uploadId ?? null, offset: offset ?? null, size: size ?? null });
	return failure;
}

/** What the user should know besides the error itself. */
function circumstances({ uploadId, forgotten, isCreateLost, slotHolder }: UploadFigures): string[] {
	const sentences: string[] = [];
	if (slotHolder) sentences.push(heldSlotAdvice(slotHolder));
	const isNewKnown = uploadId !== undefined && uploadId !== forgotten?.uploadId;
	if (isCreateLost && !isNewKnown) sentences.push(LOST_CREATE_ADVICE);
	if (forgotten) {
		const { uploadId: oldId, offset } = forgotten;
		const isReplaced = uploadId !== oldId;
		sentences.push(
			`The service no longer knows upload ${oldId}, which was at ${offset} bytes${isReplaced ? '' : ', and no new upload could be created'}.`,
		);
	}
	return sentences;
}

function nodeError(
	context: IExecuteFunctions,
	reason: unknown,
	itemIndex: number,
): NodeApiError | NodeOperationError {
	if (reason instanceof NodeApiError || reason instanceof NodeOperationError) return reason;
	const message = reason instanceof Error ? reason.message : String(reason);
	const error = new NodeOperationError(context.getNode(), message, { itemIndex });
	// The constructor replaces a message that names a network code by a generic one.
	error.message = message;
	return error;
}

function resumeAdvice(uploadId: string, standing: string): string {
	return `Upload ${uploadId} ${standing}: run this again to resume it, or use Upload → Resume with this ID.`;
}

function changedFileAdvice(uploadId: string, offset: number): string {
	return `Upload ${uploadId} has ${offset} bytes of the file as it was before: run this again to upload the file from its beginning.`;
}

function unknownUploadAdvice(uploadId: string, isGiven: boolean): string {
	const remedy = isGiven
		? 'run Upload → Create again, or Upload → Upload, which needs no ID'
		: 'run this again to start a new one';
	return `The service does not know upload ${uploadId}: ${remedy}.`;
}
