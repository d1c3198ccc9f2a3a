import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { eventList } from '../service/events';
import type { PageReader } from '../service/paging';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { videoList } from '../service/videos';

/** The events of a plan, the latest scheduled first where the service supports that. */
export function newestEvents(context: ILoadOptionsFunctions, planId: string): PageReader {
	return newestFirstIfSupported(eventList(context, planId));
}

/**
 * The videos of a plan, the newest first where the service supports that.
 *
 * @param name only videos that the service finds by this name
 */
export function newestVideos(
	context: ILoadOptionsFunctions,
	planId: string,
	name: string | undefined,
): PageReader {
	return newestFirstIfSupported(videoList(context, planId, { name }));
}
