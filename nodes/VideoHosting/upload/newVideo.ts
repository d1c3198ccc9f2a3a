import type { IExecuteFunctions, NodeOperationError } from 'n8n-workflow';

import { foldersOfRun } from '../service/folders';
import { isSameUuid, LAG_MS } from '../service/record';
import { isIn, type Video } from '../service/video';
import { newestVideos, videosNamed } from '../service/videos';
import { nextTry } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { policiesOf } from '../shared/policies';
import { ageOf, Lock, pause, raceSignal } from '../shared/waiting';
import { isNodeError, isServiceError, noteCarriedOut, operationError, withAdvice } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { earliestDateOf, mayBeOf, REMEMBERED_MS, UploadMemory, type UploadRecord } from './memory';
import { firstName, videoNamesOf } from './videoNames';

export const UPLOAD_AGAIN = 'If the video was deleted, upload the file again.';

const RENAME_IT = 'Rename it with Video → Update.';

/** The new video, or as a clause why it was not found. With `advice`, no later look-up finds the video either. */
export type LookupResult = { video: Video } | { video?: undefined; reason: string; advice?: string };

/** Look-ups of a run are serialized, so that they share one wait. `hangs`: the last reading was not completed in time. */
const lookUpsOf = perRun(() => ({ line: new Lock(), hangs: false }));

/**
 * Waits until the service lists the video of a complete upload, and stores the video in the record. No response to an upload names
 * the video (docs/api-reference.md#send-bytes).
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
			reason: 'when it was created is not known, so its video cannot be told from others',
			advice: RENAME_IT,
		};
	const cancelled = cancelSignal(context);
	const { newVideo: policy, videoReading: limits } = policiesOf(context);
	const { createdAt = 0, mark, status, unfinishedAt = createdAt } = record;
	// A video of the same name may be listed before the new one, which has no known mark.
	const mayBeOther = ({ created = unfinishedAt }: Video) =>
		mark === undefined && !record.video && (created < unfinishedAt || status === 'complete');
	const startedAt = performance.now();
	const lookUps = lookUpsOf(context);
	const leave = await lookUps.line.enter(cancelled);
	try {
		const memory = await UploadMemory.of(context);
		for (let tried = 1; ; tried++) {
			const leftMs = startedAt + policy.passes.totalMs - performance.now();
			// Also after the time is over: the last one in line has not read before.
			const leastMs = lookUps.hangs ? limits.afterTimeoutMs : limits.longestMs;
			const signal = AbortSignal.timeout(Math.ceil(Math.max(Math.min(leftMs, limits.longestMs), leastMs)));
			const result = await new Reading(context, memory, planId, signal).lookUp(record).catch(unreadable);
			cancelled?.throwIfAborted();
			lookUps.hangs = signal.aborted;
			const waitedMs = performance.now() - startedAt;
			const next = nextTry({ kind: 'passes', policy, tried, waitedMs });
			if ((result.video && !mayBeOther(result.video)) || next === 'give up') {
				if (result.video?.hash !== undefined) record.video ??= result.video;
				return result;
			}
			await pause(next.pauseMs, cancelled);
		}
	} finally {
		leave();
	}
}

/**
 * Looks for the video of an upload that the service no longer knows, although all bytes were sent.
 *
 * @throws NodeOperationError when no video has the upload's mark: the file must not be sent again
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

/** The error for an upload whose bytes were all sent, when the service's last response is missing. */
export function lostResponseError(
	context: IExecuteFunctions,
	{ file, mark, uploadId }: UploadRecord,
): NodeOperationError {
	const message = `The whole file of upload ${uploadId} was sent, but the last response of the service was lost.`;
	const advice = `Look for the video "${firstName(file.name, mark)}" before you run this again.`;
	return noteCarriedOut(operationError(context, message, advice));
}

/** One reading of the lists that may contain a new video; the signal ends it. */
class Reading {
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly memory: UploadMemory,
		private readonly planId: string,
		private readonly signal: AbortSignal,
	) {}

	/** @throws NodeApiError or NodeOperationError when a list cannot be read; the signal's reason */
	async lookUp(record: UploadRecord): Promise<LookupResult> {
		if (record.video) return { video: record.video };
		const [video, ...others] = await this.possibleVideos(record);
		if (!video) return missing(record);
		// After the lists were read: they may contain a video that was sent meanwhile.
		for (const rival of this.rivalsOf(record)) if (await this.isVideoOf(rival, video)) others.push(video);
		if (others.length > 0)
			return { reason: 'which of the videos of its name is the new one is not certain', advice: RENAME_IT };
		return { video };
	}

	private async possibleVideos(record: UploadRecord): Promise<Video[]> {
		const { context, planId, signal } = this;
		const { file, isForeign, mark } = record;
		const since = earliestDateOf(record);
		const possible = new Map<string, Video>();
		const add = async (videos: Video[]) => {
			for (const video of videos)
				if (await this.isPossible(record, video)) possible.set(video.identity, video);
		};
		const names = mark === undefined ? videoNamesOf(file.name) : [firstName(file.name, mark)];
		// The mark of a foreign upload is not known here, so no search by name finds its video for certain.
		if (!isForeign) for (const name of names) await add(await videosNamed(context, planId, name, signal));
		// A service may change a name with a mark.
		if (isForeign || (mark !== undefined && possible.size === 0))
			await add(await newestVideos(context, planId, since, signal));
		return [...possible.values()];
	}

	private async isPossible(record: UploadRecord, video: Video): Promise<boolean> {
		if (record.mark !== undefined) return mayBeOf(record, video);
		const isOfOther = (other: UploadRecord) =>
			(other.video ?? other.mark) !== undefined && mayBeOf(other, video);
		const isOwn = this.memory.all(isOfOther).length === 0;
		return (video.created ?? 0) >= earliestDateOf(record) && isOwn && (await this.isVideoOf(record, video));
	}

	/** Other uploads without a known mark whose video is not identified, and may be listed by now. */
	private rivalsOf(record: UploadRecord): UploadRecord[] {
		if (record.mark !== undefined) return [];
		return this.memory.all(
			(other) =>
				other !== record &&
				other.mark === undefined &&
				other.sent !== undefined &&
				!other.video &&
				other.at >= record.startedAt - LAG_MS,
		);
	}

	private async isVideoOf(record: UploadRecord, video: Video): Promise<boolean> {
		const { folder, size } = record.file;
		const isLike = mayBeOf(record, video) && (video.size ?? size) === size;
		return isLike && (await mayBeIn(this.context, video, folder, this.signal));
	}
}

/**
 * Whether a video is in a folder, or its record does not say; without a folder, always. Only a record that shows its folder without a
 * UUID needs the list of folders.
 *
 * @param uuid of the folder
 * @throws NodeApiError when the list cannot be read
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
	if (isByUuid) return isIn(video, { uuid }) !== false;
	const folders = await raceSignal(foldersOfRun(context), signal);
	const wanted = folders.find((each) => isSameUuid(each.uuid, uuid));
	// A new folder may not be listed yet; a video in a listed folder is not in the new one.
	return wanted ? isIn(video, wanted) !== false : !folders.some((each) => isIn(video, each));
}

function missing(record: UploadRecord): LookupResult {
	const { completeAt = 0, file, isForeign, mark, status } = record;
	// By now, a list shows it.
	if (status === 'complete' && ageOf(completeAt) >= REMEMBERED_MS)
		return { reason: 'somebody has deleted or renamed the video since', advice: UPLOAD_AGAIN };
	const dated = mark === undefined ? ` of ${file.size} bytes dated after its upload began` : '';
	const reason = `the service lists no video "${firstName(file.name, mark)}"${dated} yet`;
	return { reason: isForeign ? `${reason}, or the upload was created under another name` : reason };
}

function unreadable(error: unknown): Exclude<LookupResult, { video: Video }> {
	// The service itself may reject the plan, which no later run mends.
	const text = isNodeError(error) ? error.message : 'it was not returned in time';
	const said = isServiceError(error, /^4/) ? withAdvice(error) : text;
	return { reason: `the list of videos cannot be read: ${said.replace(/\.$/, '')}` };
}
