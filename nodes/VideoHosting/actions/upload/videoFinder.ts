import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { uniqueRecords } from '../../service/paging';
import { growingPause, pause } from '../../service/pause';
import { optionalPlanOrDefault } from '../../service/plan';
import { identityOf, videoCreatedOf, videoNameOf } from '../../service/responseParsing';
import { cancelSignal } from '../../service/request';
import { withoutSecrets } from '../../service/secrets';
import { videoPages } from '../../service/videos';
import { ownPlanIdParameter, planIdParameter } from '../parameters';
import type { TransferOptions } from './fields';

/** How long a new video is looked for after the last byte, and the pauses between; milliseconds. */
export const videoPolicy = { waitMs: 30_000, firstMs: 1_000, longestMs: 5_000 };

/** Of more videos whose names contain the file's, the rest is not looked through. */
const MOST_CANDIDATES = 200;

/**
 * Finds the video of a file by name and time, since the response to the last PATCH does not name it
 * (docs/api-reference.md#send-bytes).
 */
export interface VideoFinder {
	/** The newest video of that name from before the upload. */
	existing: IDataObject | undefined;
	/**
	 * Waits a bounded while until the plan lists a video of that name that was not there before.
	 *
	 * @param wasComplete whether the service had the whole file before: then its video may be an old one
	 * @returns undefined when there is none in time, or the list cannot be read
	 */
	find(wasComplete: boolean): Promise<IDataObject | undefined>;
}

/**
 * @returns undefined when nobody wants to know the video, or Return Video has no plan to look in
 * @throws NodeApiError when Skip If Exists cannot read the list; NodeOperationError when it has no plan to look in
 */
export async function videoFinder(
	context: IExecuteFunctions,
	itemIndex: number,
	fileName: string,
	{ skipIfExists, returnVideo }: TransferOptions,
): Promise<VideoFinder | undefined> {
	if (!skipIfExists && !returnVideo) return undefined;
	const planId = skipIfExists
		? await planIdParameter(context, itemIndex)
		: await optionalPlanOrDefault(context, ownPlanIdParameter(context, itemIndex));
	if (planId === undefined) return undefined;

	// Return Video is a courtesy: a list that cannot be read is no reason to upload nothing.
	const look = videosNamed(context, planId, fileName, itemIndex, () => false);
	const before = skipIfExists ? await look : await look.catch(() => undefined);
	const known = new Set(before?.map(identityOf));
	const existing = newest(before ?? []);
	const isNew = (video: IDataObject) => !known.has(identityOf(video));
	return {
		existing,
		find: async (wasComplete) => {
			if (!before) return undefined;
			if (wasComplete && existing) return existing;
			const until = Date.now() + videoPolicy.waitMs;
			for (let attempt = 1; ; attempt++) {
				const found = await videosNamed(context, planId, fileName, itemIndex, isNew).catch(() => []);
				const video = newest(found.filter(isNew));
				const pauseMs = growingPause(attempt, videoPolicy.firstMs, videoPolicy.longestMs);
				if (video || Date.now() + pauseMs > until) return video;
				await pause(pauseMs, cancelSignal(context));
			}
		},
	};
}

/**
 * Videos whose name is the file's, with or without its extension. How the service compares the filter is not
 * documented (docs/api-reference.md#search-videos-by-name), so it is asked for both unless the shorter name found
 * some.
 *
 * @param isWanted ends the reading with the page that holds such a video
 */
async function videosNamed(
	context: IExecuteFunctions,
	planId: string,
	fileName: string,
	itemIndex: number,
	isWanted: (video: IDataObject) => boolean,
): Promise<IDataObject[]> {
	const names = [...new Set([fileName.replace(/(?<=.)\.[^.]+$/, ''), fileName])];
	for (const name of names) {
		const videos: IDataObject[] = [];
		let read = 0;
		for await (const records of uniqueRecords(videoPages(context, planId, { name }, itemIndex))) {
			videos.push(...records.filter((video) => names.includes(videoNameOf(video) ?? '')));
			read += records.length;
			if (videos.some(isWanted) || read >= MOST_CANDIDATES) break;
		}
		if (videos.length > 0) return videos;
	}
	return [];
}

function newest(videos: IDataObject[]): IDataObject | undefined {
	const createdAt = (video: IDataObject) => Date.parse(videoCreatedOf(video) ?? '') || 0;
	const [first] = videos.toSorted((a, b) => createdAt(b) - createdAt(a));
	return first && withoutSecrets(first);
}
