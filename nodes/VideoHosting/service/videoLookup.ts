import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { toNodeError } from '../transport/errors';
import { uniqueRecords } from './paging';
import { videoHashOf } from './recordFields';
import { newestFirstIfSupported } from './timeSortedList';
import { videoPages } from './videos';

/** Pages that are read at most for each plan and run: 2,000 videos of a service with 20 on a page. */
export const MOST_VIDEO_PAGES = 100;

/** The videos of one plan, read page by page and only as far as a lookup needed. */
interface VideoDirectory {
	byHash: Map<string, IDataObject>;
	pages: AsyncGenerator<IDataObject[], void, undefined>;
	pagesRead: number;
	/** The last page was read. */
	isComplete: boolean;
}

/** One directory for each plan and run: n8n makes one context for each run of a node. */
const directories = new WeakMap<IExecuteFunctions, Map<string, VideoDirectory>>();

/**
 * Looks up a video in the list of a plan's videos, newest first as far as the service sorts them so: there is no operation
 * for one video (docs/api-reference.md#list-videos). Each page is read at most once for each plan and run, none after the
 * video is found, and no more than {@link MOST_VIDEO_PAGES}.
 *
 * @returns the video, if it is on one of these pages; `searched`: how many videos were searched; `isComplete`: whether
 * these are all videos of the plan
 * @throws NodeApiError when a page cannot be read
 */
export async function findVideo(
	context: IExecuteFunctions,
	planId: string,
	hash: string,
	itemIndex: number,
): Promise<{ video?: IDataObject; searched: number; isComplete: boolean }> {
	const directory = videoDirectoryOf(context, planId, itemIndex);
	while (!directory.byHash.has(hash) && !directory.isComplete && directory.pagesRead < MOST_VIDEO_PAGES) {
		for (const video of await readNextVideoPage(context, planId, directory)) {
			const videoHash = videoHashOf(video);
			if (videoHash !== undefined) directory.byHash.set(videoHash, video);
		}
	}
	const { byHash, isComplete } = directory;
	return { video: byHash.get(hash), searched: byHash.size, isComplete };
}

async function readNextVideoPage(
	context: IExecuteFunctions,
	planId: string,
	directory: VideoDirectory,
): Promise<IDataObject[]> {
	try {
		const { value, done } = await directory.pages.next();
		directory.pagesRead++;
		directory.isComplete = done === true;
		return value ?? [];
	} catch (error) {
		// A generator that threw is finished; the next item needs a new one to retry.
		directories.get(context)?.delete(planId);
		throw toNodeError(context, error);
	}
}

function videoDirectoryOf(context: IExecuteFunctions, planId: string, itemIndex: number): VideoDirectory {
	const plans = directories.get(context) ?? new Map<string, VideoDirectory>();
	directories.set(context, plans);
	const directory = plans.get(planId) ?? {
		byHash: new Map<string, IDataObject>(),
		pages: uniqueRecords(
			newestFirstIfSupported({
				newestFirst: videoPages(context, planId, { orderBy: 'created_date', sort: 'DESC' }, itemIndex),
				defaultOrder: videoPages(context, planId, {}, itemIndex),
			}),
		),
		pagesRead: 0,
		isComplete: false,
	};
	plans.set(planId, directory);
	return directory;
}
