import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { isSameName, isSameUuid, LAG_MS } from '../service/record';
import { latestCreated, type Video } from '../service/video';
import { videosNamed } from '../service/videos';
import { ageOf, pause } from '../shared/waiting';
import { operationError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import type { ContentProof } from './contentProof';
import { changesVideo, type ExistingVideo, type UploadJob, type UploadProgress } from './job';
import {
	earliestDateOf,
	folderOf,
	mayBeInPlan,
	REMEMBERED_MS,
	UploadMemory,
	type UploadRecord,
} from './memory';
import { findNewVideo, lostResponseError, mayBeIn } from './newVideo';
import { isNamed, namesOf } from './videoNames';

const BUSY_PAUSE_MS = 250;

/** What is there before a file is sent: a complete upload of it, its video, or an upload to resume. */
export async function findEarlier(
	context: IExecuteFunctions,
	memory: UploadMemory,
	job: UploadJob,
	{ progress, proof }: { progress: UploadProgress; proof: ContentProof },
): Promise<{ complete?: UploadRecord; existing?: ExistingVideo; unfinished?: UploadRecord }> {
	for (const complete of job.uploadId === undefined ? memory.idleOf(job.file, 'complete') : []) {
		const isSame = await proof.isOf(complete);
		// Asked again: another item may have locked or finished the upload during the comparison.
		if (isSame && !complete.isBusy && complete.status === 'complete') return { complete };
	}
	const existing = await findExistingVideo(context, memory, job);
	return existing ? { existing } : { unfinished: unfinishedOf(memory, job, progress) };
}

/** The upload that a job resumes; undefined for none. */
export function unfinishedOf(memory: UploadMemory, job: UploadJob, { replaced }: UploadProgress) {
	if (job.uploadId !== undefined || !job.resumeUnfinished || replaced) return memory.find(job.uploadId);
	const isFit = ({ mark }: UploadRecord) => mark !== undefined || !changesVideo(job);
	return memory.idleOf(job.file, 'unfinished').find(isFit);
}

/**
 * With Skip If Exists, a video with the title of the job, or without a title with the file name, with or without its extension. The
 * video is in the target folder, or its record does not show a folder; without a folder, anywhere in the plan.
 *
 * @throws NodeApiError when the list cannot be read; NodeOperationError while it may lack a video whose upload is lost
 */
async function findExistingVideo(
	context: IExecuteFunctions,
	memory: UploadMemory,
	job: UploadJob,
): Promise<ExistingVideo | undefined> {
	if (!job.skipIfExists || job.planId === undefined) return undefined;
	const video = await listedVideo(context, job);
	if (video) return { video, record: memory.ofVideo(video.hash) };
	// After the list was read: an upload may have become complete meanwhile.
	const latest = (statuses: Array<UploadRecord['status']>, withinMs: number) =>
		uploadsOf(memory, job).find(
			({ at, completeAt, status }) => statuses.includes(status) && ageOf(completeAt ?? at) < withinMs,
		);
	const record = latest(['complete', 'done'], REMEMBERED_MS);
	if (record) return { record };
	const lost = latest(['lost'], LAG_MS);
	if (lost) throw lostResponseError(context, lost);
	return undefined;
}

async function listedVideo(context: IExecuteFunctions, job: UploadJob): Promise<Video | undefined> {
	const { file, planId = '' } = job;
	for (const name of namesOf(job))
		for (const video of await videosNamed(context, planId, name))
			if (isNamed(job, video.name) && (await mayBeIn(context, video, file.folder))) return video;
	return undefined;
}

/** With Skip If Exists, the ID of an upload that another item is sending, and whose video is the one to look for. */
export function uploadOfOther(memory: UploadMemory, job: UploadJob): string | undefined {
	if (!job.skipIfExists) return undefined;
	return uploadsOf(memory, job).find(({ isBusy, status }) => isBusy && status === 'unfinished')?.uploadId;
}

function uploadsOf(memory: UploadMemory, job: UploadJob): UploadRecord[] {
	const { file, planId } = job;
	const isInAny = ({ isForeign, video }: UploadRecord) => isForeign === true && !video;
	return memory.all(
		(other) =>
			mayBeInPlan(other, planId) &&
			isNamed(job, other.title || other.file.name) &&
			(file.folder === undefined || isInAny(other) || isSameUuid(folderOf(other), file.folder)),
	);
}

/**
 * Checks that a video with a name is not an older one: no list need show the video of an upload of this process yet.
 *
 * @throws NodeOperationError
 */
export async function checkNewest(context: IExecuteFunctions, planId: string, video: Video): Promise<void> {
	const isNewer = (record: UploadRecord) => {
		if (ageOf(record.completeAt ?? 0) >= LAG_MS || !mayBeInPlan(record, planId)) return false;
		if (record.video) return isSameName(record.video.name, video.name) && record.video.hash !== video.hash;
		if (record.status !== 'done' || !isNamed(record, video.name)) return false;
		return latestCreated(video) < earliestDateOf(record);
	};
	const [newer] = (await UploadMemory.of(context)).all(isNewer);
	if (!newer) return;
	throw operationError(
		context,
		`The video ${quoted(video.name ?? '')} of upload ${newer.uploadId} is not listed yet, only an older one of that name`,
		'Run this again in half a minute, or choose the video By Hash.',
	);
}

/**
 * The video of another item's or execution's upload. Waits while that item sets title and thumbnail.
 *
 * @returns after the waits any listed video that Skip If Exists asks for; undefined without one
 */
export async function videoOfRecord(
	context: IExecuteFunctions,
	job: UploadJob,
	record: UploadRecord,
): Promise<Video | undefined> {
	const { title } = record;
	while (record.status === 'complete' && record.isBusy) await pause(BUSY_PAUSE_MS, cancelSignal(context));
	// Another run of the same file may have given it another title.
	const isNamedSo = record.status !== 'complete' && record.title === title;
	const found = isNamedSo ? await findNewVideo(context, job.planId ?? '', record) : undefined;
	return found?.video ?? (await listedVideo(context, job));
}
