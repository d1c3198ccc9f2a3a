import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { videoHashOf, videoNameOf } from '../service/responseParsing';
import { videoPages } from '../service/videos';
import { pickerPage } from './pickerPage';
import { planIdOfEditor } from './planIdOfEditor';

/**
 * Videos of the plan; the service itself searches for the name that the user types
 * (docs/api-reference.md#search-videos-by-name).
 */
export async function searchVideos(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: unknown,
): Promise<INodeListSearchResult> {
	const planId = await planIdOfEditor(this);
	return await pickerPage(videoPages(this, planId, filter ? { name: filter } : {}), {
		nameOf: (video) => videoNameOf(video) ?? videoHashOf(video) ?? 'Video without a name',
		valueOf: videoHashOf,
		paginationToken,
	});
}
