import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { LAG_MS } from '../service/record';
import type { Video } from '../service/video';
import { ageOf } from '../shared/waiting';
import { operationError } from '../transport/errors';
import { mayBeInPlan, UploadMemory, type UploadedVideo } from './memory';
import { find } from './newVideo';
import { isNamed } from './videoNames';

/**
 * Checks that listed videos of a name include the one that was uploaded here under it: else an older one could be meant.
 *
 * @throws NodeOperationError
 */
export async function checkListed(
	context: IExecuteFunctions,
	planId: string,
	name: string,
	listed: readonly Video[],
): Promise<void> {
	const memory = await UploadMemory.of(context);
	const isListed = (uploaded: UploadedVideo) => {
		if (typeof uploaded.before !== 'object') return ageOf(uploaded.at) >= LAG_MS;
		const video = find(memory, uploaded, listed);
		if (video && video !== 'several') uploaded.hash = video.hash;
		return video !== undefined;
	};
	const missing = memory.uploaded.find(
		(each) =>
			each.isDone &&
			mayBeInPlan(each, planId) &&
			isNamed(each, name) &&
			each.hash === undefined &&
			!isListed(each),
	);
	if (!missing) return;
	throw operationError(
		context,
		`The video ${quoted(name)} of upload ${missing.uploadId} is not listed yet, only an older one of that name`,
		'Run this again in half a minute, or choose the video By Hash.',
	);
}

/**
 * Notes that this node deleted, renamed or moved a video.
 *
 * @param hash its hash; `video` where it was chosen by its name, which may be its first one
 * @param change `deleted`, the new name, or the UUID of the new folder
 */
export async function noteVideoChange(
	context: IExecuteFunctions,
	{ hash, video }: { hash: string; video?: Video },
	change: 'deleted' | { title: string } | { folder: string },
): Promise<void> {
	const memory = await UploadMemory.of(context);
	const uploaded = memory.ofVideo({ ...video, hash });
	if (!uploaded) return;
	uploaded.hash = hash;
	if (change === 'deleted') memory.forget(uploaded);
	else Object.assign(uploaded, change);
}
