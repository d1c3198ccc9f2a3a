import { NodeApiError, type IExecuteFunctions, type NodeOperationError } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import type { Video } from '../service/video';
import { newestVideos, videosNamed } from '../service/videos';
import { Lock } from '../shared/lock';
import { nextTry } from '../shared/patience';
import { pause } from '../shared/pause';
import { perRun } from '../shared/perRun';
import { policiesOf } from '../shared/policies';
import { noteCarriedOut, operationError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { UploadMemory, type UploadRecord } from './memory';
import type { UploadFile } from './tus/uploadRequests';
import { firstName, videoNamesOf } from './videoNames';

/** How much later than its last byte a video may be listed; milliseconds. */
const LAG_MS = 60_000;

/** How much the clocks of the parts of a service may differ; milliseconds. */
const CLOCK_TOLERANCE_MS = 2_000;

/** The new video, or why it was not found, as a clause. */
export type LookupResult = { video: Video } | { video?: undefined; reason: string };

/** One lookup of a run reads after the other: while the first one waits for its video, those of the others appear, too. */
const lineOf = perRun(() => new Lock());

/**
 * Waits until the service lists the video of a complete upload: its responses to an upload name none
 * (docs/api-reference.md#send-bytes). The video is remembered in the record.
 *
 * @throws the cancel signal's reason when the execution is cancelled
 */
export async function findNewVideo(
	context: IExecuteFunctions,
	planId: string,
	record: UploadRecord,
): Promise<LookupResult> {
	if (record.mark === undefined && record.createdAt === undefined)
		return { reason: 'when it was created is not known, so its video cannot be told from others' };
	const memory = await UploadMemory.of(context);
	const cancelled = cancelSignal(context);
	const { newVideo: policy } = policiesOf(context);
	const startedAt = performance.now();
	const leave = await lineOf(context).enter(cancelled);
	try {
		for (let tried = 1; ; tried++) {
			const possible = await possibleVideos(context, planId, memory, record).catch(failureText);
			if (record.video) return { video: record.video };
			cancelled?.throwIfAborted();
			const waitedMs = performance.now() - startedAt;
			const next = nextTry({ kind: 'passes', policy, tried, waitedMs });
			if (next === 'give up') return { reason: reasonOf(possible, record) };
			await pause(next.pauseMs, cancelled);
		}
	} finally {
		leave();
	}
}

/**
 * All bytes of an upload were sent, its last response was lost, and the service no longer knows it. A mark shows its video.
 *
 * @throws NodeOperationError when no video has it: whether the service has the file is not known, so it is not sent again
 */
export async function findSentVideo(context: IExecuteFunctions, record: UploadRecord): Promise<void> {
	const { mark, planId } = record;
	if (mark !== undefined && planId !== undefined && (await findNewVideo(context, planId, record)).video) {
		record.sent = 'accepted';
		return;
	}
	record.status = 'lost';
	throw lostResponseError(context, record);
}

/** The error for an upload whose bytes were all sent, when it is not known whether the service has them. */
export function lostResponseError(
	context: IExecuteFunctions,
	{ file, mark, uploadId }: UploadRecord,
): NodeOperationError {
	const message = `The whole file of upload ${uploadId} was sent, but the last response of the service was lost.`;
	const advice = `Look for the video "${firstName(file.name, mark)}" before you run this again.`;
	return noteCarriedOut(operationError(context, message, advice));
}

/** All listed videos that can be that of an upload. The only one is remembered in the record. */
async function possibleVideos(
	context: IExecuteFunctions,
	planId: string,
	memory: UploadMemory,
	record: UploadRecord,
): Promise<Video[]> {
	const { createdAt = 0, file, mark } = record;
	if (record.video) return [];
	const signal = AbortSignal.timeout(policiesOf(context).videoReadingMs);
	const since = createdAt - CLOCK_TOLERANCE_MS;
	const isPossible = (video: Video) =>
		mark === undefined
			? (video.created ?? 0) >= since && isVideoOf(file, video) && !memory.ofVideo(video.hash)
			: video.name?.toLowerCase().includes(mark) === true;
	const found = new Map<string, Video>();
	const add = (videos: Video[]) => {
		for (const video of videos.filter(isPossible)) found.set(video.identity, video);
	};
	const names = mark === undefined ? videoNamesOf(file.name) : [firstName(file.name, mark)];
	for (const name of names) add(await videosNamed(context, planId, name, signal));
	// A service may change a name.
	if (mark !== undefined && found.size === 0) add(await newestVideos(context, planId, since, signal));
	const possible = [...found.values()];
	// Asked after the lists: what was sent while they were read may be in them.
	const isCertain = mark !== undefined || !findRival(memory, record);
	if (possible.length === 1 && isCertain) [record.video] = possible;
	return possible;
}

/** Another upload of the same name whose video is not known yet, and may be what the lists show. */
function findRival(memory: UploadMemory, record: UploadRecord): UploadRecord | undefined {
	const names = videoNamesOf(record.file.name);
	return memory.latest(
		(other) =>
			other !== record &&
			other.mark === undefined &&
			other.sent !== undefined &&
			!other.video &&
			videoNamesOf(other.file.name).some((name) => names.some((own) => isSameName(own, name))) &&
			other.at >= record.startedAt - LAG_MS,
	);
}

/** Whether a video has the name, the size and the folder of a file, as far as its record contains them. */
function isVideoOf({ folder, name, size }: UploadFile, video: Video): boolean {
	return (
		videoNamesOf(name).some((own) => isSameName(own, video.name)) &&
		(video.size ?? size) === size &&
		isInFolderOf(video, folder)
	);
}

/** Whether a video is in a folder, as far as its record says; without a folder, any will do. */
export function isInFolderOf(video: Video, folder: string | undefined): boolean {
	if (folder === undefined) return true;
	if (video.folder === 'none') return false;
	return isSameUuid(video.folder?.uuid ?? folder, folder);
}

/** Why no video was found, as a clause. */
function reasonOf(possible: Video[] | string, { file, mark }: UploadRecord): string {
	if (typeof possible === 'string')
		return `the list of videos cannot be read: ${possible.replace(/\.$/, '')}`;
	return possible.length > 0
		? 'which of the videos of its name is the new one is not certain'
		: `the service lists no new video "${firstName(file.name, mark)}" yet`;
}

/** A reading that takes too long is aborted. */
function failureText(error: unknown): string {
	return error instanceof NodeApiError ? error.message : 'the service did not respond in time';
}
