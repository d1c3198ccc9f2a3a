import type { Reference } from '../parameters/references';
import type { ServiceContext } from '../transport/credential';
import { operationError } from '../transport/errors';
import { path } from '../transport/request';
import type { Folder } from './folder';
import { existingFolder, foldersOfRun, resolveFolder } from './folders';
import { ListsOfRun } from './lists';
import { checkNamed, VIDEOS } from './onlyMatch';
import { firstRecords, pagesOf, type Pages } from './paging';
import type { Order } from './reading';
import { comparableName, isSameUuid } from './record';
import { isIn, latestCreated, toVideo, withName, type Video } from './video';

/** The filters of docs/api-reference.md#list-videos, all optional; `name` alone is docs/api-reference.md#search-videos-by-name. */
export interface VideoListQuery extends Order {
	name?: string;
	/** Start of the range on the creation date; its format is not documented. */
	initialDate?: string;
	/** End of the range on the creation date; its format is not documented. */
	endDate?: string;
	orderBy?: string;
	sort?: string;
}

/**
 * A plan's videos page by page. The GET contains the plan in its body.
 *
 * @param signal ends the requests, in addition to the execution's cancel signal
 * @param others to try when the service rejects the sort direction of the query
 * @throws NodeApiError when a page cannot be read
 */
export function videoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery,
	signal?: AbortSignal,
	...others: VideoListQuery[]
): Pages<Video> {
	const opposite = /^asc/i.test(query.sort ?? '') ? 'DESC' : 'ASC';
	return pagesOf(context, {
		kind: 'video',
		request: (page, order) => ({
			method: 'GET',
			path: path('videos', 'application'),
			query: { ...order, page },
			headers: { 'Content-Type': 'application/json' },
			body: { payload: { planId } },
			signal,
		}),
		toItem: toVideo,
		orders: [
			query,
			...others,
			{ ...query, orderBy: 'name', sort: 'ASC' },
			{ ...query, sort: opposite },
			{ ...query, orderBy: 'name', sort: 'DESC' },
		],
		substitutes: others.length,
		firstPage: 1,
	});
}

/** A plan's videos with the newest first, if the service supports that. */
export function newestVideoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery = {},
	signal?: AbortSignal,
): Pages<Video> {
	const newest = { ...query, orderBy: 'created_date', sort: 'DESC' };
	return videoPages(context, planId, newest, signal, query);
}

/**
 * The newest videos of a plan, in the order of the list. Reads no further once the last date is older than `since`, as long as no date
 * that was read rises; any other list is read to its end.
 *
 * @param since milliseconds since 1970
 * @throws NodeApiError when a page cannot be read
 */
export async function newestVideos(
	context: ServiceContext,
	planId: string,
	since: number,
	signal?: AbortSignal,
): Promise<Video[]> {
	const videos: Video[] = [];
	let isNewestFirst = true;
	let newest: number | undefined;
	let last = Infinity;
	let latest = Infinity;
	for await (const { items, hasHoles } of newestVideoPages(context, planId, {}, signal)) {
		isNewestFirst &&= !hasHoles;
		for (const video of items) {
			videos.push(video);
			const { created = last } = video;
			isNewestFirst &&= created <= last;
			last = created;
			latest = Math.min(latest, latestCreated(video));
			newest ??= video.created;
		}
		// Dates that are all the same show no order.
		if (isNewestFirst && latest < since && last < (newest ?? last)) break;
	}
	return videos;
}

/**
 * Searches for a name in each of its Unicode forms, and returns each video once. The caller compares the names.
 *
 * @throws NodeApiError when a page cannot be read; NodeOperationError when no video has a readable name
 */
export async function videosNamed(
	context: ServiceContext,
	planId: string,
	name: string,
	signal?: AbortSignal,
): Promise<Video[]> {
	const found = new Map<string, Video>();
	const composed = comparableName(name);
	for (const spelling of new Set([composed, composed.normalize('NFD'), name])) {
		const videos = await firstRecords(videoPages(context, planId, { name: spelling }, signal));
		checkNamed(context, videos, VIDEOS, name);
		for (const video of videos) found.set(video.identity, video);
	}
	return [...found.values()];
}

const lists = new ListsOfRun(VIDEOS, { open: newestVideoPages, rename: withName });

/**
 * A video by its hash: there is no operation for one (docs/api-reference.md#list-videos), so the list is read until it is found, each
 * page once for each plan and run.
 *
 * @throws NodeApiError when a page cannot be read
 */
export async function findVideo(
	context: ServiceContext,
	planId: string,
	hash: string,
): Promise<Video | undefined> {
	return await lists.of(context, planId).find((video) => video.hash === hash);
}

/**
 * Whether a video is in a folder, or its record does not say; without a folder, always. Only a record that shows its folder without a
 * UUID needs the list of folders.
 *
 * @param uuid of the folder
 * @throws NodeApiError when the list cannot be read
 */
export async function mayBeIn(
	context: ServiceContext,
	video: Video,
	uuid: string | undefined,
): Promise<boolean> {
	if (uuid === undefined) return true;
	const needsList = typeof video.folder === 'object' && video.folder.uuid === undefined;
	const folders = needsList ? await foldersOfRun(context) : [];
	const wanted = folders.find((each) => isSameUuid(each.uuid, uuid));
	// A new folder may not be listed yet; a video in a listed folder is not in the new one.
	return wanted || !needsList
		? isIn(video, wanted ?? { uuid }) !== false
		: !folders.some((each) => isIn(video, each));
}

/** Selects the videos of a folder. The reference does not say whether a video's record contains its folder. */
export class FolderFilter {
	/** Whether it is known in which folder each compared video is; undefined for a record that shows none. */
	private readonly isKnown: Array<boolean | undefined> = [];

	private constructor(
		private readonly folder?: Folder,
		private readonly folders: readonly Folder[] = [],
	) {}

	/**
	 * @param chosen undefined for all videos
	 * @throws NodeOperationError unless exactly one folder is meant; NodeApiError when the list cannot be read
	 */
	static async of(context: ServiceContext, chosen: Reference | undefined): Promise<FolderFilter> {
		if (!chosen) return new FolderFilter();
		const folder = await existingFolder(context, await resolveFolder(context, chosen));
		return new FolderFilter(folder, await foldersOfRun(context));
	}

	matches(video: Video): boolean {
		if (!this.folder) return true;
		const answer = isIn(video, this.folder);
		// Several folders may have the only name that the record shows.
		const isCertain = answer === false || this.folders.filter((each) => isIn(video, each)).length === 1;
		this.isKnown.push(video.folder && isCertain);
		return answer === true;
	}

	/**
	 * @param place of the parameter Folder, for the message
	 * @param isShown whether one of the videos must show its folder
	 * @throws NodeOperationError when the folder of a compared video is not certain, or none of them shows its folder
	 */
	check(context: ServiceContext, place: 'filter' | 'option', isShown = true): void {
		const { isKnown } = this;
		const lacksFolder = isShown && isKnown.length > 0 && !isKnown.includes(true);
		if (!lacksFolder && !isKnown.includes(false)) return;
		throw operationError(
			context,
			`The records of the videos do not show for certain which folder they are in, so the ${place} Folder cannot be applied`,
			`Remove the ${place}, rename folders that have one name, or check the output of Video → Get Many: the node needs a field such as folder_uuid.`,
		);
	}
}
