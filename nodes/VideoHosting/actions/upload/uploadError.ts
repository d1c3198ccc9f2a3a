import type { IExecuteFunctions, NodeApiError, NodeOperationError } from 'n8n-workflow';

import {
	asSentence,
	hasStatus,
	noteCarriedOut,
	noteRepeatable,
	operationError,
	toNodeError,
} from '../../transport/errors';
import { cancelSignal } from '../../transport/request';
import { nodeRunOf } from '../../shared/nodeRun';
import { ContentMismatchError } from '../../sources/transferErrors';
import { UnfinishedVideoError } from '../../upload/finishVideo';
import { FILE_MISMATCH_ADVICE } from '../../upload/identity';
import { UploadInterruptedError, type UploadState } from '../../upload/uploadJob';
import { formatBytes } from '../../shared/formatBytes';
import type { SlotHolder } from '../../upload/slot';
import { setErrorDetails } from '../item';

interface Item {
	/** Bytes of the file, once known. */
	size: number | undefined;
	/** That the user entered. */
	uploadId: string | undefined;
}

/** Of message and description together. */
const MOST_SENTENCES = 4;

const MAX_REQUEST_SIZE_ADVICE = 'Set Max Request Size in the options of this node to less than that limit.';

/**
 * The error of a failed upload. The message contains what happened and how to continue, one sentence each, the description
 * what to check. It is left out where the message is long. The error item contains `uploadId`,
 * `offset` and `size` next to the message, each `null` where it is not known.
 */
export function toUploadError(
	context: IExecuteFunctions,
	error: unknown,
	{ size, uploadId: given }: Item,
): NodeApiError | NodeOperationError {
	const { state, reason } =
		error instanceof UploadInterruptedError ? error : { state: undefined, reason: error };
	const isCancelled = state !== undefined && cancelSignal(context)?.aborted === true;
	const failure = isCancelled
		? operationError(context, 'The execution was cancelled')
		: nodeErrorOf(context, error);
	const isSlotHeld = hasStatus(failure, /^429$/);
	const continuation: string[] = [];
	// An upload that has begun has a file, and so a size.
	if (state && size !== undefined) {
		if (!isCancelled) continuation.push(...circumstances(state, isSlotHeld));
		const isOtherFile = failure.description === FILE_MISMATCH_ADVICE;
		const isChanged = reason instanceof ContentMismatchError;
		const facts = { isCancelled, isChanged, isGiven: given !== undefined };
		if (state.uploadId !== undefined && !isOtherFile)
			continuation.push(nextStep(state.uploadId, state, size, facts));
	}
	if (continuation.length > 0) {
		failure.message = [asSentence(failure.message), ...continuation].join(' ');
		if (isSlotHeld) failure.description = SLOT_RULE;
		if (hasStatus(failure, /^413$/)) failure.description = MAX_REQUEST_SIZE_ADVICE;
		const advice = failure.description ?? '';
		const sentences = `${failure.message} ${advice}`.match(/[.!?](?=\s|$)/g)?.length ?? 0;
		if (sentences > MOST_SENTENCES || advice.startsWith('Try again')) failure.description = '';
	}
	const isComplete = error instanceof UnfinishedVideoError;
	const known = state?.ending === 'unverified' ? undefined : state;
	const { uploadId = given, offset = isComplete ? size : undefined } = known ?? {};
	const details = { uploadId: uploadId ?? null, offset: offset ?? null, size: size ?? null };
	setErrorDetails(failure, isComplete ? { ...details, complete: true } : details);
	return failure;
}

const ONE_AT_A_TIME =
	'The service accepts one upload at a time: create one upload, send its file with Upload → Resume, then create the next one.';

/** The error of Upload → Create: what happened, and what it means for the upload slot. */
export function toCreateError(context: IExecuteFunctions, error: unknown): NodeApiError | NodeOperationError {
	if (!(error instanceof UploadInterruptedError)) return toNodeError(context, error);
	const { state } = error;
	const failure = nodeErrorOf(context, error);
	const isOwn = state.slotHolder?.entry.run?.deref() === nodeRunOf(context);
	const [explanation] = isOwn ? [ONE_AT_A_TIME] : circumstances(state, hasStatus(failure, /^429$/));
	if (explanation === undefined) return failure;
	failure.message = `${asSentence(failure.message)} ${explanation}`;
	failure.description = isOwn || state.isCreateLost ? '' : SLOT_RULE;
	return failure;
}

/** The reason of an error. When an upload may have been created whose ID nobody knows, another try would only wait for it. */
function nodeErrorOf(context: IExecuteFunctions, error: unknown): NodeApiError | NodeOperationError {
	if (!(error instanceof UploadInterruptedError)) return toNodeError(context, error);
	const { reason, state } = error;
	const failure = toNodeError(context, reason);
	if (state.uploadId !== undefined) return noteRepeatable(failure);
	return state.isCreateLost ? noteCarriedOut(failure) : failure;
}

/** What the user should know besides the error itself, one sentence each. */
function circumstances(
	{ uploadId, lost, isCreateLost, slotHolder }: UploadState,
	isSlotHeld: boolean,
): string[] {
	const sentences: string[] = [];
	const isReplaced = uploadId !== lost?.uploadId;
	const isLost = isCreateLost && (uploadId === undefined || !isReplaced);
	if (isLost) sentences.push(LOST_CREATE_ADVICE);
	else if (slotHolder || isSlotHeld) sentences.push(slotAdvice(slotHolder));
	if (lost && isReplaced) {
		sentences.push(`The service no longer knows upload ${lost.uploadId}, which was at ${lost.offset} bytes.`);
	}
	return sentences;
}

/** How to continue. */
function nextStep(
	uploadId: string,
	{ offset, lost, ending }: UploadState,
	size: number,
	{ isCancelled, isChanged, isGiven }: { isCancelled: boolean; isChanged: boolean; isGiven: boolean },
): string {
	if (ending === 'corrupt') {
		return `Upload ${uploadId} cannot be completed and is not resumed; it may hold the upload slot until the service drops it.`;
	}
	if (ending === 'unverified')
		return `Upload ${uploadId} may be of this file: run this again to resume it if it is.`;
	if (ending === 'pending')
		return `Run this again in a few minutes: the file of upload ${uploadId} need not be sent again.`;
	if (ending === 'unknown') {
		const remedy = isGiven
			? 'run Upload → Create again, or Upload → Upload, which needs no ID'
			: 'run this again to start a new one';
		return `The service does not know upload ${uploadId}: ${remedy}.`;
	}
	if (isChanged) {
		return `Upload ${uploadId} has ${offset} bytes of the earlier version: run this again to upload the file from its beginning.`;
	}
	if (uploadId === lost?.uploadId && !isCancelled) {
		return `The service did not find upload ${uploadId}, which was at ${offset} bytes, and no new upload could be created: run this again to resume it or to start a new one.`;
	}
	const state = isCancelled ? 'is unfinished' : `is at ${offset} of ${size} bytes`;
	return `Upload ${uploadId} ${state}: run this again to resume it, or use Upload → Resume with this ID.`;
}

/** What a user should know when the response to a create was lost. */
const LOST_CREATE_ADVICE =
	'The response was lost, so an upload may block others until the service drops it. Run this again later.';

/** Why the service rejects an upload with 429. */
const SLOT_RULE = 'The service accepts one upload at a time for each application.';

/**
 * How to free the upload slot. Part of the message, which is all that an error item of n8n 1.x contains.
 *
 * @param holder the upload that holds the slot; undefined when it is not known here
 */
function slotAdvice(holder: SlotHolder | undefined): string {
	if (!holder)
		return 'Increase Max Wait in the options of this node, or finish the other upload with Upload → Resume.';
	const { entry, offset } = holder;
	const { file, isCorrupt, uploadId } = entry;
	const progress = `${file.name}, ${formatBytes(offset)} of ${formatBytes(file.size)}`;
	return isCorrupt
		? // It ends only at the service.
			`Upload ${uploadId} (${progress}) blocks new uploads, and no file can complete it. Wait until the service drops it, or delete it in the web interface of the service.`
		: `Unfinished upload ${uploadId} (${progress}) blocks new uploads. Finish it with Upload → Resume and the same file.`;
}
