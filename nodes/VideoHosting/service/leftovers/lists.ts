// For the rooms trigger and upload until they use service/events.ts, videos.ts and folders.ts; then this folder goes.
import type { IDataObject, NodeApiError } from 'n8n-workflow';

import type { ServiceContext } from '../../transport/credential';
import { isServiceError } from '../../transport/errors';
import { path } from '../../transport/request';
import type { ServiceRequest } from '../../transport/serviceRequest';
import { findEvent as findEventRecord, scheduledTimeIn } from '../events';
import { foldersOfRun } from '../folders';
import { FOLDERS, onlyMatch } from '../onlyMatch';
import { eventIdOf } from '../recordFields';
import { createdTimeOf } from '../serviceDate';
import type { VideoListQuery } from '../videos';
import { eventPages } from './eventPages';
import { readList, readPageOrEnd, type PageReader } from './paging';
import type { TimeSortedList } from './timeSortedList';

export type { VideoListQuery };

export function videoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery,
	signal?: AbortSignal,
): PageReader {
	const read: PageReader = async (page) => {
		const request: ServiceRequest = {
			method: 'GET',
			path: path('videos', 'application'),
			query: { ...query, page },
			headers: { 'Content-Type': 'application/json' },
			body: { payload: { planId } },
			signal,
		};
		return (await readList(context, request, 'videos', page)).list;
	};
	return async (page) => await readPageOrEnd(read, page);
}

export function videoList(
	context: ServiceContext,
	planId: string,
	query: Pick<VideoListQuery, 'name'> = {},
): TimeSortedList {
	return {
		newestFirst: videoPages(context, planId, { ...query, orderBy: 'created_date', sort: 'DESC' }),
		defaultOrder: videoPages(context, planId, query),
		timeOf: createdTimeOf,
	};
}

export function eventList(
	context: ServiceContext,
	planId: string,
	timeZone = context.getTimezone(),
): TimeSortedList {
	return {
		newestFirst: eventPages(context, { planId, orderType: 'DESC' }),
		defaultOrder: eventPages(context, { planId }),
		timeOf: scheduledTimeIn(timeZone),
		idOf: eventIdOf,
	};
}

export async function findEvent(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<{ event?: IDataObject; reason?: NodeApiError }> {
	return { event: await findEventRecord(context, planId, hash) };
}

export async function findFolderByName(
	context: ServiceContext,
	name: string,
): Promise<IDataObject | undefined> {
	return onlyMatch(context, await foldersOfRun(context), FOLDERS, name);
}

export function mayMeanUnknownRecord(error: unknown): boolean {
	return isServiceError(error, /^4(00|10|22)$/);
}
