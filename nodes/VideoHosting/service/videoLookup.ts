import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { directoryPerPlan } from './recordDirectory';
import { videoHashOf } from './recordFields';
import { newestFirstIfSupported } from './timeSortedList';
import { videoList } from './videos';

/** Pages that are read at most for each plan and run: 2,000 videos of a service with 20 on a page. */
export const MOST_VIDEO_PAGES = 100;

const videosOf = directoryPerPlan((context, planId, itemIndex) =>
	newestFirstIfSupported(videoList(context, planId, {}, itemIndex)),
);

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
	const directory = videosOf(context, planId, itemIndex);
	const video = await directory.find(context, (record) => videoHashOf(record) === hash, MOST_VIDEO_PAGES);
	return { video, searched: directory.records.length, isComplete: directory.isComplete };
}
