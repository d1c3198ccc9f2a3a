import type { IExecuteFunctions } from 'n8n-workflow';

import type { UploadFigures } from '../../transfer/uploadJob';
import { addHint } from '../hints';

/** Runs of the node whose user knows that no plan is set. */
const runsWithoutPlan = new WeakSet<IExecuteFunctions>();

/** Explains `video: null`, once per run. */
export function addNoPlanHint(context: IExecuteFunctions): void {
	if (runsWithoutPlan.has(context)) return;
	runsWithoutPlan.add(context);
	addHint(
		context,
		'No plan is set, so the new video was not looked up and "video" is null. Enter Plan ID in this node, set Default Plan ID in the credential, or switch Return Video off.',
	);
}

/** What a user should know of an upload that succeeded in the end. */
export function addUploadHints(context: IExecuteFunctions, fileName: string, figures: UploadFigures): void {
	const { abandoned, forgotten, resumes, waitedMs } = figures;
	for (const { uploadId, reason } of abandoned) {
		addHint(
			context,
			`"${fileName}" was not added to the unfinished upload ${uploadId}: ${reason}. It was uploaded from its beginning.`,
		);
	}
	if (forgotten) {
		addHint(
			context,
			`The service no longer knew the upload ${forgotten.uploadId} of "${fileName}", so the file was sent again from its beginning.`,
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
