import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { firstRecords } from '../service/paging';
import type { Video } from '../service/video';
import { newestVideoPages, videosNamed } from '../service/videos';
import { retry } from '../shared/patience';
import { perRun } from '../shared/perRun';
import { POLICIES } from '../shared/policies';
import { Lock } from '../shared/waiting';
import { saysRejected } from '../transport/errorMeaning';
import { cancelSignal } from '../transport/request';
import { OperationError, withAdvice } from '../transport/serviceError';
import type { UploadProgress } from './job';
import { mayBeInPlan, type Before, type LookupResult, type UploadedVideo, type UploadMemory } from './memory';
import { firstName, hasMark, isAmong, isNamedLike, namesOf } from './videoNames';

/** What the name of an upload's video depends on. */
type Named = Pick<UploadedVideo, 'file' | 'isForeign' | 'planId'>;

/** Reads which videos there are before an upload has all its bytes, for a limited time. */
export async function readBefore(
	context: IExecuteFunctions,
	upload: Named,
	readBy: UploadProgress,
): Promise<Before> {
	const signal = AbortSignal.timeout(POLICIES.videoReading.timeoutMs);
	return await listedFor(context, upload, namesOf(upload.file.name), signal).then(
		(videos) => ({ known: alikeAmong(videos, upload), readBy }),
		(error: unknown) => ({ unknownBecause: unreadable(error, 'could not be read before the upload') }),
	);
}

/** Of the listed videos, those that the video of an upload could be taken for, by their identities. */
export function alikeAmong(listed: readonly Video[], upload: Named): ReadonlySet<string> {
	const alike = listed.filter(({ name }) => mayBeNamed(upload, name));
	return new Set(alike.map(({ identity }) => identity));
}

/** A service may cut off the end of a longer name; characters. */
const LONG_NAME = 40;

/** After a restart, Resume does not know the mark in keynote-<mark>.mp4: its video is looked for among so many of the newest. */
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
	if ((hash ?? mark) === undefined && 'unknownBecause' in before) return { reason: before.unknownBecause };
	const cancelled = cancelSignal(context);
	const { newVideo, videoReading } = POLICIES;
	const deadline = performance.now() + newVideo.passes.totalMs;
	const leave = await lookUpsOf(context).enter(cancelled);
	const read = async () => {
		// Also after the time is over: the last one in line has not read before.
		const leftMs = Math.max(deadline - performance.now(), videoReading.lateTimeoutMs);
		const signal = AbortSignal.timeout(Math.ceil(Math.min(leftMs, videoReading.timeoutMs)));
		return { video: await readOnce(context, memory, uploaded, signal) };
	};
	return await retry(newVideo, read, { kindOf: () => 'passes', deadline, signal: cancelled })
		.catch((error: unknown) => {
			cancelled?.throwIfAborted();
			return { reason: error instanceof NotListedError ? error.message : unreadable(error) };
		})
		.finally(leave);
}

/** The service does not list the video of an upload; its message says as a clause why. */
class NotListedError extends Error {}

/** @throws NotListedError; ServiceError when the list cannot be read; the signal's reason */
async function readOnce(
	context: IExecuteFunctions,
	memory: UploadMemory,
	uploaded: UploadedVideo,
	signal: AbortSignal,
): Promise<Video> {
	const { file, isDone, isForeign, mark, title } = uploaded;
	const names = isDone ? namesOf(file.name, title) : namesOf(firstName(file.name, mark));
	const video = find(memory, uploaded, await listedFor(context, uploaded, names, signal));
	if (video === 'several')
		throw new NotListedError('which of the new videos of its name is the right one is not certain');
	if (!video) {
		const like = isForeign ? 'with a name like ' : '';
		const [name = ''] = names;
		const why =
			mark === undefined && name.length > LONG_NAME
				? '; it may have stored it under another name'
				: ' yet, besides older ones';
		throw new NotListedError(`the service lists no video ${like}${quoted(name)}${why}`);
	}
	memory.identify(uploaded, video.hash);
	return video;
}

/**
 * The video of an uploaded file among listed ones: by its hash or mark, else the new one of its name.
 *
 * @returns `several` when another video or upload of that name cannot be told from it: two executions upload intro.mp4 to two folders at
 * once
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
			!('known' in before && before.known.has(each.identity)) &&
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
	{ isForeign, planId = '' }: Named,
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
	const text = error instanceof OperationError ? error.message : 'it was not returned in time';
	const said = saysRejected(error) ? withAdvice(error) : text;
	return `the list of videos ${what}: ${said.replace(/\.$/, '')}`;
}
