import { DAY_MS } from '../parameters/dates';
import type { Reference } from '../parameters/references';
import { LISTS } from '../shared/assumptions';
import type { ServiceContext } from '../transport/credential';
import { path } from '../transport/request';
import { OperationError } from '../transport/serviceError';
import { foldersByPath } from './folder';
import { existingFolder, foldersOfRun, resolveFolder } from './folders';
import { ListsOfRun } from './lists';
import { checkNamed, VIDEOS } from './onlyMatch';
import { firstRecords, pagesOf, type Pages } from './paging';
import { comparableName, isSameName, isSameUuid } from './record';
import { placementOf, toVideo, withName, type Placement, type Video } from './video';

/**
 * The filters of docs/api-reference.md#list-videos; `name` alone is docs/api-reference.md#search-videos-by-name. The format of
 * `initialDate` and `endDate`, the range of the creation date, is not documented.
 */
export type VideoListQuery = Partial<Record<'name' | 'initialDate' | 'endDate' | 'orderBy' | 'sort', string>>;

const { firstPage, direction } = LISTS.video;
const [DESC, ASC] = direction.values;

/**
 * A plan's videos page by page. The GET contains the plan in its body.
 *
 * @param signal ends the requests, in addition to the execution's cancel signal
 * @param others to try when the service rejects the sort direction of the query
 * @throws ServiceError when a page cannot be read
 */
export function videoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery,
	signal?: AbortSignal,
	...others: VideoListQuery[]
): Pages<Video> {
	const opposite = /^asc/i.test(query.sort ?? '') ? DESC : ASC;
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
			{ ...query, orderBy: 'name', sort: ASC },
			{ ...query, sort: opposite },
			{ ...query, orderBy: 'name', sort: DESC },
		],
		substitutes: others.length,
		firstPages: firstPage.values,
	});
}

/** A plan's videos with the newest first, if the service supports that. */
export function newestVideoPages(
	context: ServiceContext,
	planId: string,
	query: VideoListQuery = {},
	signal?: AbortSignal,
): Pages<Video> {
	const newest = { ...query, orderBy: 'created_date', sort: DESC };
	return videoPages(context, planId, newest, signal, query);
}

/**
 * The newest videos of a plan, in the order of the list. Reads no further once the last date is a day older than `since`, as it may be
 * that of a day, as long as no date that was read rises. Any other list is read to its end: the service may ignore `sort`.
 *
 * @param since milliseconds since 1970
 * @throws ServiceError when a page cannot be read
 */
export async function newestVideos(context: ServiceContext, planId: string, since: number): Promise<Video[]> {
	const videos: Video[] = [];
	let isNewestFirst = true;
	let newest: number | undefined;
	let last = Infinity;
	for await (const { items, hasHoles } of newestVideoPages(context, planId)) {
		isNewestFirst &&= !hasHoles;
		for (const video of items) {
			videos.push(video);
			const { created = last } = video;
			isNewestFirst &&= created <= last;
			last = created;
			newest ??= video.created;
		}
		// Dates that are all the same show no order.
		if (isNewestFirst && last < since - DAY_MS && last < (newest ?? last)) break;
	}
	return videos;
}

/**
 * Searches for a name in each of its Unicode forms, as a Mac writes `é` in the name of a file with two characters, and returns each video
 * once. The caller compares the names.
 *
 * @throws ServiceError when a page cannot be read; OperationError when no video has a readable name
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
		checkNamed(videos, VIDEOS, name);
		for (const video of videos) found.set(video.identity, video);
	}
	return [...found.values()];
}

const lists = new ListsOfRun(VIDEOS, { open: newestVideoPages, rename: withName });

/**
 * A video by its hash: there is no operation for one (docs/api-reference.md#list-videos), so the list is read until it is found, each
 * page once for each plan and run.
 *
 * @param notBefore an older list is read anew; milliseconds since 1970
 * @throws ServiceError when a page cannot be read
 */
export async function findVideo(
	context: ServiceContext,
	planId: string,
	hash: string,
	notBefore?: number,
): Promise<Video | undefined> {
	return await lists.of(context, planId, notBefore).find((video) => video.hash === hash);
}

/**
 * Whether a video is in a folder, or its record does not say; without a folder, always. Only a record that shows its folder without a
 * UUID needs the list of folders.
 *
 * @param uuid of the folder
 * @throws ServiceError when the list cannot be read
 */
export async function mayBeIn(context: ServiceContext, video: Video, uuid?: string): Promise<boolean> {
	if (uuid === undefined) return true;
	const needsList = video.folder.kind === 'in' && video.folder.uuid === undefined;
	const folders = needsList ? await foldersOfRun(context) : [];
	return placementOf(video, uuid, folders) !== 'elsewhere';
}

/**
 * Tells where each video is, as seen from the chosen folder; without one, all are in it.
 *
 * @throws OperationError unless exactly one folder is meant; ServiceError when the list cannot be read
 */
export async function placementsFor(
	context: ServiceContext,
	chosen: Reference | undefined,
): Promise<(video: Video) => Placement> {
	if (!chosen) return () => 'in';
	const { uuid } = await existingFolder(context, await resolveFolder(context, chosen));
	const folders = await foldersOfRun(context);
	return (video) => placementOf(video, uuid, folders);
}

/**
 * The videos in the folder. The reference does not say whether the record of a video contains its folder.
 *
 * @param placed of {@link placementsFor}
 * @param place of the parameter Folder, for the message
 * @param mustShow whether one of the videos must show its folder
 * @throws OperationError when it is not clear which ones they are
 */
export function videosIn(
	placed: (video: Video) => Placement,
	videos: readonly Video[],
	place: 'filter' | 'option',
	mustShow = true,
): Video[] {
	const placements = videos.map(placed);
	const areNotShown = placements.length > 0 && placements.every((each) => each === 'not shown');
	if (!placements.includes('unclear') && !(mustShow && areNotShown))
		return videos.filter((_video, index) => placements[index] === 'in');
	throw new OperationError(
		`The records of the videos do not show for certain which folder they are in, so the ${place} Folder cannot be applied`,
		`Remove the ${place}, rename folders that have one name, or check the output of Video → Get Many: the node needs a field such as folder_uuid.`,
	);
}

/** The videos with the names of their folders, also where a record shows another field of it. Those that cannot be read stay away. */
export async function withFolderNames(context: ServiceContext, videos: Video[]): Promise<Video[]> {
	if (videos.every(({ folder }) => folder.kind !== 'in' || folder.name !== undefined)) return videos;
	const folders = foldersByPath(await foldersOfRun(context).catch(() => []));
	return videos.map((video) => {
		if (video.folder.kind !== 'in') return video;
		const { id, uuid } = video.folder;
		const listed = folders.find((each) =>
			uuid === undefined ? isSameName(each.id, id) : isSameUuid(each.uuid, uuid),
		);
		return listed ? { ...video, folder: { ...listed, kind: 'in' } } : video;
	});
}
