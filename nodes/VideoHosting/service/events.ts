import type { IDataObject } from 'n8n-workflow';

import type { ServiceContext } from './credential';
import { PAGE_SIZE, readList } from './paging';
import { singleIn } from './records';
import { path, request } from './request';

/** What Search All (7) is asked for; `orderBy` and `orderType` default to the reference's samples. */
export interface EventListQuery {
	planId: string;
	orderBy?: string;
	orderType?: string;
	/** Records per page; the service may give fewer. */
	quantity?: number;
	itemIndex?: number;
}

/**
 * A reader of one page after the other of a plan's events (7). The records carry the plan secret.
 *
 * @throws NodeApiError as {@link readList}
 */
export function eventPages(
	context: ServiceContext,
	{ planId, orderBy = 'date', orderType = 'ASC', quantity = PAGE_SIZE, itemIndex }: EventListQuery,
): (page: number) => Promise<IDataObject[]> {
	return async (page) =>
		await readList(
			context,
			{
				method: 'GET',
				path: path('events', 'searchAll'),
				query: { planId, actualPage: page, quantity, orderBy, orderType },
				itemIndex,
			},
			'events',
		);
}

/**
 * One event by its hash (6), without the wrapping that an answer may have. What is no record comes back as it is.
 *
 * @throws NodeApiError when the service refuses
 */
export async function eventByHash(
	context: ServiceContext,
	planId: string,
	hash: string,
	itemIndex?: number,
): Promise<unknown> {
	const answer = await request(context, {
		method: 'GET',
		path: path('events', 'searchByHash'),
		query: { planId, hash },
		headers: { 'Content-Type': 'application/json' },
		itemIndex,
	});
	return singleIn(answer, 'event');
}
