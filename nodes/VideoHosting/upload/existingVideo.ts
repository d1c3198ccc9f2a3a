import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import type { Video } from '../service/video';
import { videosNamed } from '../service/videos';
import { pause } from '../shared/pause';
import { cancelSignal } from '../transport/request';
import type { ExistingVideo, UploadJob } from './job';
import type { UploadMemory, UploadRecord, UploadStatus } from './memory';
import { findNewVideo, LAG_MS, LISTED_WITHIN_MS, lostResponseError, mayBeIn } from './newVideo';
import { videoNamesOf } from './videoNames';

const BUSY_PAUSE_MS = 250;

/**
 * With Skip If Exists, a video with the title of the job, or without a title with the file name, with or without its extension. The
 * video is in the target folder, or its record does not show a folder; without a folder, anywhere in the plan.
 *
 * @throws NodeApiError when the list cannot be read; NodeOperationError while it may lack a video whose upload is lost
 */
export async function findExistingVideo(
	context: IExecuteFunctions,
	memory: UploadMemory,
	{ file, planId, skipIfExists, title }: UploadJob,
): Promise<ExistingVideo | undefined> {
	if (!skipIfExists || planId === undefined) return undefined;
	const names = title === '' ? videoNamesOf(file.name) : [title];
	const isWanted = (name: string) => names.some((own) => isSameName(own, name));
	const latest = (statuses: UploadStatus[], withinMs: number) =>
		memory.all(
			(other) =>
				statuses.includes(other.status) &&
				Date.now() - (other.completeAt ?? other.at) < withinMs &&
				(other.planId ?? planId) === planId &&
				isWanted(other.title || other.file.name) &&
				(file.folder === undefined || isSameUuid(other.file.folder, file.folder)),
		)[0];
	for (const name of names) {
		for (const video of await videosNamed(context, planId, name))
			if (isWanted(video.name ?? '') && (await mayBeIn(context, video, file.folder))) return { video };
	}
	// After the list was read: an upload may have become complete meanwhile.
	const record = latest(['complete', 'done'], LISTED_WITHIN_MS);
	if (record) return { record };
	const lost = latest(['lost'], LAG_MS);
	if (lost) throw lostResponseError(context, lost);
	return undefined;
}

/**
 * The video of another item's or execution's upload. Waits while that item sets title and thumbnail.
 *
 * @returns undefined when the video has no title yet, or is not listed in time
 */
export async function videoOfRecord(
	context: IExecuteFunctions,
	planId: string,
	record: UploadRecord,
): Promise<Video | undefined> {
	const { title } = record;
	while (record.status === 'complete' && record.isBusy) await pause(BUSY_PAUSE_MS, cancelSignal(context));
	// Another run of the same file may have given it another title.
	if (record.status === 'complete' || record.title !== title) return undefined;
	return (await findNewVideo(context, planId, record)).video;
}
