import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { isSameUuid, LAG_MS } from '../service/record';
import type { Video } from '../service/video';
import { mayBeIn } from '../service/videos';
import { ageOf, raceSignal } from '../shared/waiting';
import { cancelSignal } from '../transport/request';
import { OperationError } from '../transport/serviceError';
import type { UploadJob } from './job';
import { mayBeInPlan, REMEMBERED_MS, UploadMemory } from './memory';
import type { LookupResult, UploadedVideo, UploadResult } from './memory';
import { alikeAmong, find, listedFor, lookUp } from './newVideo';
import { isAmong, namesOf } from './videoNames';

/**
 * The video that Skip If Exists skips a file for: a listed or uploaded one with the title of the job, or without a title with the file
 * name, with or without its extension. The video is in the target folder, or its record does not show a folder; without a folder,
 * anywhere in the plan.
 *
 * @returns `known`: what was listed instead
 * @throws ServiceError when the list cannot be read
 */
export async function findExisting(
	context: IExecuteFunctions,
	memory: UploadMemory,
	job: UploadJob,
): Promise<{ existing?: Pick<UploadResult, 'found' | 'uploaded'>; known?: ReadonlySet<string> }> {
	const { file, planId, title } = job;
	const names = namesOf(file.name, title);
	const listed = await listedFor(context, job, names);
	for (const video of listed)
		if (isAmong(names, video.name) && (await mayBeIn(context, video, file.folder)))
			return { existing: { uploaded: memory.ofVideo(video), found: Promise.resolve({ video }) } };
	const uploaded = memory.uploaded.findLast(
		(each) =>
			ageOf(each.at) < REMEMBERED_MS &&
			mayBeInPlan(each, planId) &&
			isAmong(names, each.title || each.file.name) &&
			(file.folder === undefined || isSameUuid(each.folder, file.folder)),
	);
	if (!uploaded) return { known: alikeAmong(listed, job) };
	return { existing: { uploaded, found: videoOf(context, memory, job, uploaded) } };
}

/** Waits for the look-up of another item or execution: two of them upload the same file at once, and the second one is skipped. */
async function videoOf(
	context: IExecuteFunctions,
	memory: UploadMemory,
	{ file }: UploadJob,
	uploaded: UploadedVideo,
): Promise<LookupResult> {
	const lookup = uploaded.lookup?.catch(() => undefined);
	const looked = lookup && (await raceSignal(lookup, cancelSignal(context)));
	const found = looked ?? (uploaded.isDone ? await lookUp(context, memory, uploaded) : undefined);
	if (found?.video) return found;
	throw new OperationError(
		`${quoted(file.name)} was not uploaded: upload ${uploaded.uploadId} of the same name was sent, but its video is not listed under that name yet.`,
		'Run this again later. If you deleted or renamed the video, switch off Skip If Exists, or wait ten minutes.',
	);
}

/**
 * Checks that listed videos of a name include the one that was uploaded here under it. Else Video → Delete By Name, a minute after the
 * upload of keynote.mp4, would delete that of last year.
 *
 * @throws OperationError
 */
export async function checkListed(
	context: IExecuteFunctions,
	planId: string,
	name: string,
	listed: readonly Video[],
): Promise<void> {
	const memory = await UploadMemory.of(context);
	const isListed = (uploaded: UploadedVideo) => {
		if ('unknownBecause' in uploaded.before) return ageOf(uploaded.at) >= LAG_MS;
		const video = find(memory, uploaded, listed);
		if (video && video !== 'several') memory.identify(uploaded, video.hash);
		return video !== undefined;
	};
	const missing = memory.uploaded.find(
		(each) =>
			each.isDone &&
			mayBeInPlan(each, planId) &&
			isAmong(namesOf(each.file.name, each.title), name) &&
			each.hash === undefined &&
			!isListed(each),
	);
	if (!missing) return;
	throw new OperationError(
		`The video ${quoted(name)} of upload ${missing.uploadId} is not listed yet, only an older one of that name`,
		'Run this again in half a minute, or choose the video By Hash.',
	);
}
