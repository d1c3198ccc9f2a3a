import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { eventPages } from '../service/eventPages';
import type { PageReader } from '../service/paging';
import { newestFirstIfSupported } from '../service/timeSortedList';
import { videoPages } from '../service/videos';

/** The events of a plan, the latest scheduled first where the service supports that. */
export function newestEvents(context: ILoadOptionsFunctions, planId: string): PageReader {
	return newestFirstIfSupported({
		newestFirst: eventPages(context, { planId, orderType: 'DESC' }),
		defaultOrder: eventPages(context, { planId }),
	});
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
	return newestFirstIfSupported({
		newestFirst: videoPages(context, planId, { name, orderBy: 'created_date', sort: 'DESC' }),
		defaultOrder: videoPages(context, planId, { name }),
	});
}
