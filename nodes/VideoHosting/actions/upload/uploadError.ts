import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { serviceCredential } from '../../service/credential';
import { UnfinishedUploads } from '../../transfer/recovery/unfinishedUploads';
import { extractUploadId } from '../../transfer/tus/uploadUrl';
import { WrongSizeError } from '../../transfer/recovery/wrongSizeError';
import { UploadInterruptedError } from '../../transfer/recovery/uploadInterruptedError';
import { FILE_MISMATCH_ADVICE } from '../../transfer/tus/uploadRequests';

interface Item {
	itemIndex: number;
	/** Bytes of the file, once known. */
	size: number | undefined;
	/** That the user gave. */
	uploadId: string | undefined;
}

/**
 * The error of a failed upload: what happened, and all that is needed to go on. `context.output` becomes part of the error
 * item (`{ error, uploadId, offset, size }`).
 */
export async function toUploadError(
	context: IExecuteFunctions,
	error: unknown,
	{ itemIndex, size, uploadId: given }: Item,
): Promise<NodeApiError | NodeOperationError> {
	const interrupted = error instanceof UploadInterruptedError ? error : undefined;
	const reason = interrupted ? interrupted.reason : error;
	const { uploadId = given, offset } = interrupted?.figures ?? {};
	const failure =
		interrupted?.cancelled === true ? cancelled(context) : nodeError(context, reason, itemIndex);

	const status = failure instanceof NodeApiError ? failure.httpCode : undefined;
	if (status === '429') failure.description = await slotAdvice(context, uploadId);
	else if (status === '413')
		failure.description = 'Set Max Request Size in the options of this node to less than that limit.';
	if (reason instanceof WrongSizeError && uploadId !== undefined) {
		failure.message = `${asSentence(failure.message)} Upload ${uploadId} cannot be completed and is not resumed; it may occupy the upload slot until the service drops it.`;
	}
	const isOtherFile = reason instanceof WrongSizeError || failure.description === FILE_MISMATCH_ADVICE;
	if (uploadId !== undefined && offset !== undefined && size !== undefined && !isOtherFile) {
		const isUnknown = status === '404' && given !== undefined;
		const standing =
			interrupted?.cancelled === true ? 'is unfinished' : `stands at ${offset} of ${size} bytes`;
		const end = isUnknown ? unknownUploadAdvice(uploadId) : resumeAdvice(uploadId, standing);
		failure.message = `${asSentence(failure.message)} ${end}`;
	}
	failure.context.output = { uploadId: uploadId ?? null, offset: offset ?? null, size: size ?? null };
	return failure;
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

function cancelled(context: IExecuteFunctions): NodeOperationError {
	return new NodeOperationError(context.getNode(), 'The execution was cancelled');
}

function resumeAdvice(uploadId: string, standing: string): string {
	return `Upload ${uploadId} ${standing}: run this again to go on from there, or use Upload → Resume with this ID.`;
}

function unknownUploadAdvice(uploadId: string): string {
	return `The service does not know upload ${uploadId}: run Upload → Create again, or Upload → Upload, which needs no ID.`;
}

/** The two ways out when the slot is held: by an upload that this workflow remembers, or by one that it does not know. */
async function slotAdvice(context: IExecuteFunctions, own: string | undefined): Promise<string> {
	const { baseUrl } = await serviceCredential(context);
	const uploads = await new UnfinishedUploads(context).findAllUploads();
	const others = uploads.flatMap(({ uploadUrl, metadata }) => {
		const uploadId = uploadUrl?.startsWith(`${baseUrl}/`) ? extractUploadId(uploadUrl) : undefined;
		return uploadId === undefined || uploadId === own ? [] : [`${uploadId} ("${metadata.filename ?? ''}")`];
	});
	if (others.length > 0) {
		return `The service takes one upload at a time, and this workflow left another one unfinished: ${others.join(', ')}. Upload that file again, or finish it with Upload → Resume.`;
	}
	return 'The service takes one upload at a time, and another one of this application is not finished. Either wait until it is, with a longer Max Wait in the options of this node, or finish it yourself with Upload → Resume, its upload ID and its file.';
}

function asSentence(text: string): string {
	return /[.!?…]$/.test(text) ? text : `${text}.`;
}
