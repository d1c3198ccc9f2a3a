import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import type { Video } from '../service/video';
import { newestVideoPages, videosNamed } from '../service/videos';
import { nextPause } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { POLICIES } from '../shared/policies';
import { Lock, pause } from '../shared/waiting';
import { isNodeError, saysRejected, withAdvice } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { mayBeInPlan, UploadMemory, type Before, type LookupResult, type UploadedVideo } from './memory';
import { beginsLike, firstName, hasMark, isNamed, namesOf, videoNamesOf } from './videoNames';

/** What the name of an upload's video depends on. */
type Named = Pick<UploadedVideo, 'file' | 'hash' | 'isForeign'>;

/** Where a video is looked for. */
interface Place {
	planId: string;
	/** Ends the requests. */
	signal?: AbortSignal;
}

/** Reads which videos there are before an upload has all its bytes, for a limited time. */
export async function readBefore(context: IExecuteFunctions, planId: string, upload: Named): Promise<Before> {
	const place = { planId, signal: AbortSignal.timeout(POLICIES.videoReading.longestMs) };
	return await listedFor(context, place, upload, videoNamesOf(upload.file.name)).then(
		(videos) => beforeOf(videos, upload),
		(error: unknown) => unreadable(error, 'could not be read before the upload'),
	);
}

/** Of the listed videos, those that the video of an upload could be taken for. */
export function beforeOf(listed: readonly Video[], upload: Named): Before {
	const alike = listed.filter(({ name }) => mayBeNamed(upload, name));
	return new Set(alike.map(({ identity }) => identity));
}

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
	planId: string,
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
			const result = await readOnce(context, { planId, signal }, uploaded).catch((error: unknown) => ({
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
	place: Place,
	uploaded: UploadedVideo,
): Promise<LookupResult> {
	const { file, hash, isDone, isForeign, mark } = uploaded;
	const names = isDone ? namesOf(uploaded) : videoNamesOf(firstName(file.name, mark));
	const memory = await UploadMemory.of(context);
	let video: ReturnType<typeof find>;
	// Of videos of one name, all are compared; a hash or mark is enough.
	const groups = (hash ?? mark) === undefined ? [names] : names.map((name) => [name]);
	for (const group of groups) {
		video = find(memory, uploaded, await listedFor(context, place, uploaded, group));
		if (video) break;
	}
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
	const { hash, mark } = uploaded;
	if (hash !== undefined) return listed.find((video) => video.hash === hash);
	if (mark !== undefined) return listed.find(({ name }) => hasMark(name, mark));
	const [video, ...others] = newOnes(memory, uploaded, listed);
	if (!video) return undefined;
	const isRival = ({ file, mark: own, planId, uploadId }: UploadMemory['unidentified'][number]) =>
		uploadId !== uploaded.uploadId &&
		own === undefined &&
		mayBeInPlan({ planId }, uploaded.planId) &&
		videoNamesOf(file.name).some((name) => mayBeNamed(uploaded, name));
	return others.length > 0 || memory.unidentified.some(isRival) ? 'several' : video;
}

/** Listed videos that may be that of an upload without a mark: of its name, and neither older nor another upload's. */
function newOnes(memory: UploadMemory, uploaded: UploadedVideo, listed: readonly Video[]): Video[] {
	return listed.filter(
		(video) =>
			mayBeNamed(uploaded, video.name) &&
			!(typeof uploaded.before === 'object' && uploaded.before.has(video.identity)) &&
			[undefined, uploaded].includes(memory.ofVideo(video)),
	);
}

/** Whether the video of an upload without a mark may have a name. */
function mayBeNamed({ file, isForeign }: Named, name: string | undefined): boolean {
	return isForeign ? beginsLike(name, file.name) : isNamed({ file, title: '' }, name);
}

/** The listed videos of some names; the first page of the newest ones for an upload whose video may have another name. */
async function listedFor(
	context: IExecuteFunctions,
	place: Place,
	{ hash, isForeign }: Named,
	names: readonly string[],
): Promise<Video[]> {
	if (!isForeign || hash !== undefined) return await listedAs(context, place, names);
	for await (const { items } of newestVideoPages(context, place.planId, {}, place.signal)) return items;
	return [];
}

/** The listed videos of some names, as {@link videosNamed} finds them. */
export async function listedAs(
	context: IExecuteFunctions,
	{ planId, signal }: Place,
	names: readonly string[],
): Promise<Video[]> {
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
