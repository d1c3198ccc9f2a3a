import type { ServiceContext } from '../transport/credential';
import { readList, readPageOrEnd, type PageReader } from './paging';
import { createdTimeOf } from './serviceDate';
import type { TimeSortedList } from './timeSortedList';
import { path } from '../transport/request';

/**
 * The filters of docs/api-reference.md#list-videos, all optional; `name` alone is
 * docs/api-reference.md#search-videos-by-name.
 */
export interface VideoListQuery {
	name?: string;
	/** Start of the range on the creation date; its format is not documented. */
	initialDate?: string;
	/** End of the range on the creation date; its format is not documented. */
	endDate?: string;
	orderBy?: string;
	sort?: string;
}

/**
 * Reads a plan's videos page by page. The GET contains the plan in its body.
 *
 * @param signal ends the requests, in addition to the execution's cancel signal
 * @throws NodeApiError as {@link readList}
 */
export function videoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery,
	itemIndex?: number,
	signal?: AbortSignal,
): PageReader {
	const read: PageReader = async (page) =>
		await readList(
			context,
			{
				method: 'GET',
				path: path('videos', 'application'),
				query: { ...query, page },
				headers: { 'Content-Type': 'application/json' },
				body: { payload: { planId } },
				itemIndex,
				signal,
			},
			'videos',
			page,
		);
	return async (page) => await readPageOrEnd(context, read, page);
}

/** The videos of a plan, sorted by when they were created. */
export function videoList(
	context: ServiceContext,
	planId: string,
	query: Pick<VideoListQuery, 'name'> = {},
	itemIndex?: number,
): TimeSortedList {
	return {
		newestFirst: videoPages(context, planId, { ...query, orderBy: 'created_date', sort: 'DESC' }, itemIndex),
		defaultOrder: videoPages(context, planId, query, itemIndex),
		timeOf: createdTimeOf,
	};
}
