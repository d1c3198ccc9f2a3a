import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { isSameUuid } from '../service/record';
import { ageOf } from '../shared/waiting';
import { operationError } from '../transport/errors';
import type { UploadJob, UploadResult } from './job';
import {
	mayBeInPlan,
	REMEMBERED_MS,
	type Before,
	type LookupResult,
	type UploadedVideo,
	type UploadMemory,
} from './memory';
import { beforeOf, listedAs, lookUp, mayBeIn } from './newVideo';
import { isNamed, namesOf } from './videoNames';

/**
 * The video that Skip If Exists skips a file for: a listed or uploaded one with the title of the job, or without a title with the file
 * name, with or without its extension. The video is in the target folder, or its record does not show a folder; without a folder,
 * anywhere in the plan.
 *
 * @returns `before`: what was listed instead
 * @throws NodeApiError when the list cannot be read
 */
export async function findExisting(
	context: IExecuteFunctions,
	memory: UploadMemory,
	job: UploadJob,
): Promise<{ existing?: Pick<UploadResult, 'found' | 'uploaded'>; before?: Before }> {
	const { file, planId = '' } = job;
	const listed = await listedAs(context, { planId }, namesOf(job));
	for (const video of listed)
		if (isNamed(job, video.name) && (await mayBeIn(context, video, file.folder)))
			return { existing: { uploaded: memory.ofVideo(video), found: Promise.resolve({ video }) } };
	const uploaded = memory.uploaded.findLast(
		(each) =>
			ageOf(each.at) < REMEMBERED_MS &&
			mayBeInPlan(each, planId) &&
			isNamed(job, each.title || each.file.name) &&
			(file.folder === undefined || isSameUuid(each.folder, file.folder)),
	);
	if (!uploaded) return { before: beforeOf(listed, { file }) };
	return { existing: { uploaded, found: videoOf(context, job, uploaded) } };
}

/** Waits for the look-up of another item or execution. */
async function videoOf(
	context: IExecuteFunctions,
	{ file, planId = '' }: UploadJob,
	uploaded: UploadedVideo,
): Promise<LookupResult> {
	const looked = await uploaded.lookup?.catch(() => undefined);
	const found = looked ?? (uploaded.isDone ? await lookUp(context, planId, uploaded) : undefined);
	if (found?.video) return found;
	throw operationError(
		context,
		`${quoted(file.name)} was not uploaded: upload ${uploaded.uploadId} of the same name was sent, but its video is not listed under that name yet.`,
		'Run this again later. If you deleted or renamed the video, switch off Skip If Exists, or wait ten minutes.',
	);
}
