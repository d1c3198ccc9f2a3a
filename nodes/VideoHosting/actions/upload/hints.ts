import type { IExecuteFunctions } from 'n8n-workflow';

import type { UploadState } from '../../upload/uploadJob';
import { addHint } from '../hints';

/** Explains `video: null`. */
export function addNoPlanHint(context: IExecuteFunctions): void {
	addHint(
		context,
		'No plan is set, so the new video was not looked up and "video" is null. Enter the Plan ID in the credential or in the options of this node, or switch Return Video off.',
	);
}

/** Explains `video: null`. */
export function addNoVideoHint(context: IExecuteFunctions, fileName: string, reason: string): void {
	addHint(context, `"${fileName}" is uploaded, but ${reason}. Find it later with Video → Search.`);
}

/**
 * Reports what of a complete upload is not as its user wants it.
 *
 * @param left `markedName`: name of its video, when that has still the mark of an upload whose title is not known here
 */
export function addLeftoverHints(
	context: IExecuteFunctions,
	fileName: string,
	left: { markedName: string | undefined; isElsewhere: boolean; isThumbnailLeft: boolean },
): void {
	const { isElsewhere, isThumbnailLeft, markedName } = left;
	const sentences = [
		markedName !== undefined &&
			`is uploaded as "${markedName}": n8n no longer knows the title that was to be set. Set it with Video → Update.`,
		isElsewhere &&
			'may not be in the chosen folder: its upload was created for another one. Check it, and move it with Video → Move.',
		isThumbnailLeft &&
			'has no thumbnail yet: n8n does not keep the image that was to be set. Set it with Video → Set Thumbnail.',
	];
	for (const sentence of sentences) if (sentence) addHint(context, `"${fileName}" ${sentence}`);
}

/** Explains why a video counts as existing. */
export function addFolderUnknownHint(context: IExecuteFunctions, fileName: string): void {
	addHint(
		context,
		`"${fileName}" was skipped because a video of this name exists. The service does not report the folder of that video, which may not be the chosen one.`,
	);
}

/** What a user should know of an upload that succeeded in the end. */
export function addUploadHints(context: IExecuteFunctions, fileName: string, state: UploadState): void {
	const { abandoned, lost, resumes, waitedMs } = state;
	for (const { uploadId, reason } of abandoned) {
		addHint(
			context,
			`Upload ${uploadId} could not be resumed with "${fileName}": ${reason}. The whole file was uploaded.`,
		);
	}
	if (lost) {
		const second = ' The service may list a second video of this file later: check, and delete one.';
		addHint(
			context,
			`The service no longer knew the upload ${lost.uploadId} of "${fileName}", so the file was sent again from its beginning.${lost.isAllSent ? second : ''}`,
		);
	}
	if (resumes > 0) addHint(context, `The upload of "${fileName}" was interrupted and resumed (${resumes}×).`);
	// Shorter waits are not worth a hint.
	if (waitedMs >= 1500) {
		addHint(
			context,
			`"${fileName}" waited ${Math.round(waitedMs / 1000)} seconds for the upload slot of the application.`,
		);
	}
}
