import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from './credential';
import { readList } from './paging';
import { path } from './request';

/**
 * The filters of docs/api-reference.md#list-videos, all optional; `name` alone is
 * docs/api-reference.md#search-videos-by-name.
 */
export interface VideoListQuery {
	name?: string;
	/** Start of the range on creation date; format: not shown. */
	initialDate?: string;
	/** End of the range on creation date; format: not shown. */
	endDate?: string;
	orderBy?: string;
	sort?: string;
}

/**
 * A reader of one page after the other of a plan's videos (19, 20). The plan goes into the body of the GET.
 *
 * @throws NodeApiError as {@link readList}
 */
export function videoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery,
	itemIndex?: number,
): (page: number) => Promise<IDataObject[]> {
	return async (page) =>
		await readList(
			context,
			{
				method: 'GET',
				path: path('videos', 'application'),
				query: { ...query, page },
				headers: { 'Content-Type': 'application/json' },
				body: { payload: { planId } },
				itemIndex,
			},
			'videos',
			page,
		);
}
