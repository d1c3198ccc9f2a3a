import { NodeApiError, NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';

import { existingFolder } from '../service/folders';
import { isSameName } from '../service/record';
import { isIn, type Video } from '../service/video';
import { newestVideos, videosNamed } from '../service/videos';
import { Lock } from '../shared/lock';
import { nextTry } from '../shared/patience';
import { pause, raceSignal } from '../shared/pause';
import { perRun } from '../shared/perRun';
import { policiesOf } from '../shared/policies';
import { noteCarriedOut, operationError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { UploadMemory, type UploadRecord } from './memory';
import { firstName, markedNamesOf, videoNamesOf } from './videoNames';

/** How long a complete upload counts although no list shows its video; milliseconds. */
export const LISTED_WITHIN_MS = 10 * 60 * 1000;

/** How much later than its last byte a video may be listed; milliseconds. */
const LAG_MS = 60_000;

/** How much the clocks of the parts of a service may differ; milliseconds. */
const CLOCK_TOLERANCE_MS = 2_000;

/** The new video, or why it was not found: `reason` as a clause. */
export type LookupResult =
	| { video: Video }
	| { video?: undefined; why: 'undated' | 'unreadable' | 'ambiguous' | 'missing'; reason: string };

/** Look-ups of a run are serialized, so that they share one wait. */
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
		return {
			why: 'undated',
			reason: 'when it was created is not known, so its video cannot be told from others',
		};
	const cancelled = cancelSignal(context);
	const { leastVideoReadingMs, newVideo: policy, videoReadingMs } = policiesOf(context);
	const { totalMs } = policy.passes;
	const startedAt = performance.now();
	const leave = await lineOf(context).enter(cancelled);
	try {
		for (let tried = 1; ; tried++) {
			const leftMs = startedAt + totalMs - performance.now();
			const readingMs = Math.min(Math.max(leftMs, leastVideoReadingMs), videoReadingMs);
			const signal = AbortSignal.timeout(Math.ceil(readingMs));
			const result = await lookUp(context, planId, record, signal).catch(unreadable);
			if (result.video) return result;
			cancelled?.throwIfAborted();
			const waitedMs = performance.now() - startedAt;
			const next = nextTry({ kind: 'passes', policy, tried, waitedMs });
			if (next === 'give up') return result;
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

/** Reads the lists once. The only video that can be that of the upload is remembered in the record. */
async function lookUp(
	context: IExecuteFunctions,
	planId: string,
	record: UploadRecord,
	signal: AbortSignal,
): Promise<LookupResult> {
	if (record.video) return { video: record.video };
	const memory = await UploadMemory.of(context);
	const [video, ...others] = await possibleVideos(context, planId, record, signal);
	if (!video) return { why: 'missing', reason: missingText(record) };
	// Asked after the lists: what was sent while they were read may be in them.
	const rivals = record.mark === undefined ? rivalsOf(memory, record) : [];
	for (const rival of rivals) if (await isVideoOf(context, rival, video, signal)) others.push(video);
	if (others.length > 0)
		return { why: 'ambiguous', reason: 'which of the videos of its name is the new one is not certain' };
	record.video = video;
	return { video };
}

/** All listed videos that can be that of an upload. */
async function possibleVideos(
	context: IExecuteFunctions,
	planId: string,
	record: UploadRecord,
	signal: AbortSignal,
): Promise<Video[]> {
	const { createdAt = 0, file, isForeign, mark } = record;
	const memory = await UploadMemory.of(context);
	const since = createdAt - CLOCK_TOLERANCE_MS;
	const isPossible = async (video: Video) =>
		mark !== undefined
			? hasMark(video, mark)
			: (video.created ?? 0) >= since &&
				!memory.latest((other) => other.video?.hash === video.hash || hasMark(video, other.mark)) &&
				(await isVideoOf(context, record, video, signal));
	const possible = new Map<string, Video>();
	const add = async (videos: Video[]) => {
		for (const video of videos) if (await isPossible(video)) possible.set(video.identity, video);
	};
	const names = mark === undefined ? videoNamesOf(file.name) : [firstName(file.name, mark)];
	// The mark of another process is not known, so no search by name finds all that it may be.
	if (!isForeign) for (const name of names) await add(await videosNamed(context, planId, name, signal));
	// A service may change a name with a mark.
	if (isForeign || (mark !== undefined && possible.size === 0))
		await add(await newestVideos(context, planId, since, signal));
	return [...possible.values()];
}

/** Other uploads without a known mark whose video is not known yet, and may be listed by now. */
function rivalsOf(memory: UploadMemory, record: UploadRecord): UploadRecord[] {
	return memory.all(
		(other) =>
			other !== record &&
			other.mark === undefined &&
			other.sent !== undefined &&
			!other.video &&
			other.at >= record.startedAt - LAG_MS,
	);
}

/**
 * Whether a video can be that of an upload without a known mark, by name, size and folder as far as its record contains them. The folder
 * that another process created an upload for is not known.
 */
async function isVideoOf(
	context: IExecuteFunctions,
	{ file, isForeign }: UploadRecord,
	video: Video,
	signal: AbortSignal,
): Promise<boolean> {
	const { folder, name, size } = file;
	const names = [...videoNamesOf(name), ...(isForeign ? markedNamesOf(name, video.name) : [])];
	return (
		names.some((own) => isSameName(own, video.name)) &&
		(video.size ?? size) === size &&
		(await mayBeIn(context, video, isForeign ? undefined : folder, signal))
	);
}

function hasMark({ name }: Video, mark: string | undefined): boolean {
	return mark !== undefined && name?.toLowerCase().includes(mark) === true;
}

/**
 * Whether a video is in the folder of an upload, or its record does not say; without a folder, any will do. Only a record that shows
 * its folder by something else than the UUID needs the record of the folder.
 *
 * @param uuid of the folder
 * @throws NodeOperationError when the application has no such folder; NodeApiError when the list cannot be read
 */
export async function mayBeIn(
	context: IExecuteFunctions,
	video: Video,
	uuid: string | undefined,
	signal?: AbortSignal,
): Promise<boolean> {
	if (uuid === undefined) return true;
	const { folder } = video;
	const isByUuid = folder === undefined || folder === 'none' || folder.uuid !== undefined;
	const wanted = isByUuid ? { uuid } : await raceSignal(existingFolder(context, uuid), signal);
	return isIn(video, wanted) !== false;
}

/** Why no video was found, as a clause. */
function missingText({ file, isForeign, mark }: UploadRecord): string {
	const missing = `the service lists no new video "${firstName(file.name, mark)}" yet`;
	return isForeign ? `${missing}, or the upload was created under another name` : missing;
}

/** A reading that takes too long is aborted. */
function unreadable(error: unknown): Exclude<LookupResult, { video: Video }> {
	const isKnown = error instanceof NodeApiError || error instanceof NodeOperationError;
	const text = isKnown ? error.message.replace(/\.$/, '') : 'the service did not respond in time';
	return { why: 'unreadable', reason: `the list of videos cannot be read: ${text}` };
}
