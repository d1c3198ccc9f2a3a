import type { IExecuteFunctions } from 'n8n-workflow';

import type { UploadFigures } from '../../upload/uploadJob';
import { addHint } from '../hints';
import type { LookupProblem } from './matchVideos';

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

const NO_VIDEO: Record<LookupProblem, string> = {
	notListed: 'the service does not list the video yet',
	several: 'the service lists several videos of that name, and which one is new is not certain',
	otherSize: 'the service lists only a video of that name with another size',
};

/** Why there is no new video, as a clause after "but" or a colon. */
export function noVideoReason(problem: LookupProblem): string {
	return NO_VIDEO[problem];
}

/** Explains `video: null`. */
export function addNoVideoHint(context: IExecuteFunctions, fileName: string, problem: LookupProblem): void {
	addHint(
		context,
		`"${fileName}" is uploaded, but ${noVideoReason(problem)}. Find it later with Video → Search.`,
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
