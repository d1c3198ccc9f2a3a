import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { firstRecords } from '../service/paging';
import type { Video } from '../service/video';
import { newestVideoPages, videosNamed } from '../service/videos';
import { nextPause } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { POLICIES } from '../shared/policies';
import { Lock, pause } from '../shared/waiting';
import { isNodeError, saysRejected, withAdvice } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { mayBeInPlan, type Before, type LookupResult, type UploadedVideo, type UploadMemory } from './memory';
import { firstName, hasMark, isAmong, isNamedLike, namesOf } from './videoNames';

/** What the name of an upload's video depends on. */
type Named = Pick<UploadedVideo, 'file' | 'isForeign'>;

/** Reads which videos there are before an upload has all its bytes, for a limited time. */
export async function readBefore(context: IExecuteFunctions, planId: string, upload: Named): Promise<Before> {
	const signal = AbortSignal.timeout(POLICIES.videoReading.longestMs);
	return await listedFor(context, planId, upload, namesOf(upload.file.name), signal).then(
		(videos) => beforeOf(videos, upload),
		(error: unknown) => unreadable(error, 'could not be read before the upload'),
	);
}

/** Of the listed videos, those that the video of an upload could be taken for. */
export function beforeOf(listed: readonly Video[], upload: Named): Before {
	const alike = listed.filter(({ name }) => mayBeNamed(upload, name));
	return new Set(alike.map(({ identity }) => identity));
}

/** How many of the newest videos may be that of an upload whose video may have another name. */
const NEWEST = 20;

/** Look-ups of a run are serialized, so that they share one wait. */
const lookUpsOf = perRun(() => new Lock());

/**
 * Waits until the service lists the video of an uploaded file, and stores its hash. No response to an upload names the video
 * (docs/api-reference.md#send-bytes).
 *
 * @throws the cancel signal's reason when the execution is cancelled
 */
export async function lookUp(
	context: IExecuteFunctions,
	memory: UploadMemory,
	uploaded: UploadedVideo,
): Promise<LookupResult> {
	const { before, hash, mark } = uploaded;
	if ((hash ?? mark) === undefined && typeof before !== 'object')
		return { reason: before ?? 'the videos before the upload were not read' };
	const cancelled = cancelSignal(context);
	const { newVideo, videoReading: limits } = POLICIES;
	const startedAt = performance.now();
	const leave = await lookUpsOf(context).enter(cancelled);
	try {
		for (let tried = 1; ; tried++) {
			const leftMs = startedAt + newVideo.passes.totalMs - performance.now();
			// Also after the time is over: the last one in line has not read before.
			const readingMs = Math.min(Math.max(leftMs, limits.leastMs), limits.longestMs);
			const signal = AbortSignal.timeout(Math.ceil(readingMs));
			const result = await readOnce(context, memory, uploaded, signal).catch((error: unknown) => ({
				video: undefined,
				reason: unreadable(error),
			}));
			cancelled?.throwIfAborted();
			const waitedMs = performance.now() - startedAt;
			const pauseMs = result.video ? undefined : nextPause(newVideo.passes, { tried, waitedMs });
			if (pauseMs === undefined) return result;
			await pause(pauseMs, cancelled);
		}
	} finally {
		leave();
	}
}

async function readOnce(
	context: IExecuteFunctions,
	memory: UploadMemory,
	uploaded: UploadedVideo,
	signal: AbortSignal,
): Promise<LookupResult> {
	const { file, isDone, isForeign, mark, planId = '', title } = uploaded;
	const names = isDone ? namesOf(file.name, title) : namesOf(firstName(file.name, mark));
	const video = find(memory, uploaded, await listedFor(context, planId, uploaded, names, signal));
	if (video === 'several')
		return { reason: 'which of the new videos of its name is the right one is not certain' };
	if (!video) {
		const like = isForeign ? 'with a name like ' : '';
		return { reason: `the service lists no video ${like}${quoted(names[0] ?? '')} yet, besides older ones` };
	}
	uploaded.hash = video.hash;
	uploaded.at = Date.now();
	return { video };
}

/**
 * The video of an uploaded file among listed ones: by its hash or mark, else the new one of its name.
 *
 * @returns `several` when another video or upload of that name cannot be told from it
 */
export function find(
	memory: UploadMemory,
	uploaded: UploadedVideo,
	listed: readonly Video[],
): Video | 'several' | undefined {
	const { before, hash, mark, planId, uploadId } = uploaded;
	if (hash !== undefined) return listed.find((video) => video.hash === hash);
	if (mark !== undefined) return listed.find(({ name }) => hasMark(name, mark));
	// Neither older nor another upload's.
	const [video, ...others] = listed.filter(
		(each) =>
			mayBeNamed(uploaded, each.name) &&
			!(typeof before === 'object' && before.has(each.identity)) &&
			!memory.ofVideo(each),
	);
	if (!video) return undefined;
	const hasRival = memory.unidentified.some(
		(other) =>
			other.uploadId !== uploadId &&
			mayBeInPlan(other, planId) &&
			other.mark === undefined &&
			namesOf(other.file.name).some((name) => mayBeNamed(uploaded, name)),
	);
	return others.length > 0 || hasRival ? 'several' : video;
}

/** Whether the video of an upload without a mark may have a name. */
function mayBeNamed({ file, isForeign }: Named, name: string | undefined): boolean {
	return isForeign ? isNamedLike(name, file.name) : isAmong(namesOf(file.name), name);
}

/** The listed videos of some names; the newest ones for an upload whose video may have another name. */
export async function listedFor(
	context: IExecuteFunctions,
	planId: string,
	{ isForeign }: Named,
	names: readonly string[],
	signal?: AbortSignal,
): Promise<Video[]> {
	if (isForeign) return await firstRecords(newestVideoPages(context, planId, {}, signal), NEWEST);
	const lists = await Promise.all(
		names.map(async (name) => await videosNamed(context, planId, name, signal)),
	);
	return [...new Map(lists.flat().map((video) => [video.identity, video])).values()];
}

function unreadable(error: unknown, what = 'cannot be read'): string {
	// The service itself may reject the plan, which no later run mends.
	const text = isNodeError(error) ? error.message : 'it was not returned in time';
	const said = saysRejected(error) ? withAdvice(error) : text;
	return `the list of videos ${what}: ${said.replace(/\.$/, '')}`;
}
