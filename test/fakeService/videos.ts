import { createHash } from 'node:crypto';
import { z } from 'zod';

import { badRequest, ErrorResponse, nonEmpty, required, writeResponse, type Call } from './call';
import { requirePlan } from './events';
import { requireFolder } from './folders';
import { pageResponse, sorted } from './lists';
import type { ServiceSettings } from './settings';
import { storedName, type ServiceState, type Video } from './state';

/** See docs/api-reference.md#delete-a-video. */
export function videoDelete(call: Call) {
	const { state } = call;
	const video = requireVideo(call);
	state.videos = state.videos.filter((candidate) => candidate !== video);
	return writeResponse(videoRecord(video, call), 'Video deleted', call.settings);
}

/** See docs/api-reference.md#set-a-thumbnail: one part named `file`, with a file name. */
export function videoThumbnail(call: Call) {
	const video = requireVideo(call);
	const [file, ...others] = call.request.form ?? [];
	if (file === undefined || others.length > 0) throw badRequest('form: not exactly one field');
	const { field, filename, contentType, bytes } = file;
	if (field !== 'file') throw badRequest('form: the field is not named file');
	if (filename === '') throw badRequest('form.file: has no file name');
	if (bytes.length === 0) throw badRequest('form.file: is empty');
	if (!contentType.startsWith('image/')) throw badRequest(`form.file: its type is ${contentType}, no image`);
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	video.thumbnail = { filename, contentType, bytes: bytes.length, sha256 };
	return writeResponse(videoRecord(video, call), 'Thumbnail uploaded', call.settings);
}

const editBody = z.object({ name: nonEmpty });

/** See docs/api-reference.md#rename-a-video. */
export function videoEdit(call: Call) {
	const { name } = required(editBody, call.request.body, 'body');
	const video = requireVideo(call);
	video.name = storedName(name, call.settings);
	return writeResponse(videoRecord(video, call), 'Video updated', call.settings);
}

const moveBody = z.object({ folder_uuid: z.string().uuid() });

/** See docs/api-reference.md#move-a-video. */
export function videoMove(call: Call) {
	const { folder_uuid: uuid } = required(moveBody, call.request.body, 'body');
	const video = requireVideo(call);
	video.folder = requireFolder(uuid, call.state).uuid;
	return writeResponse(videoRecord(video, call), 'Video moved', call.settings);
}

const listBody = z.object({ payload: z.object({ planId: nonEmpty }) });
const listQuery = z.object({
	page: nonEmpty
		.regex(/^[1-9]\d*$/, 'is not a page number')
		.transform(Number)
		.default('1'),
	name: z.string().optional(),
	initialDate: date('00:00:00.000').optional(),
	endDate: date('23:59:59.999').optional(),
	orderBy: z.enum(['created_date', 'name']).optional(),
	sort: nonEmpty.optional(),
});

/** See docs/api-reference.md#list-videos; to search by name is the same request. */
export function videoList(call: Call) {
	const { request, state, settings } = call;
	const { planId } = required(listBody, request.body, 'body').payload;
	const { page, name, initialDate, endDate, orderBy, sort } = required(listQuery, request.query, 'query');
	requirePlan(planId, settings);
	const matching = visibleVideos(state).filter((video) => {
		const created = Date.parse(video.createdDate);
		return (
			video.planId === planId &&
			(name === undefined || matchesName(video.name, name, settings)) &&
			(initialDate === undefined || created >= initialDate) &&
			(endDate === undefined || created <= endDate)
		);
	});
	// By what the records contain: a date of whole days orders no videos of one day, and none is the latest one.
	const key = (video: Video) => (orderBy === 'name' ? video.name : (writtenDate(video, settings) ?? '~'));
	const isOrdered = orderBy !== undefined && !settings.videoOrderByIgnored;
	const ordered = isOrdered ? sorted(matching, key, sort, settings, request.query) : matching;
	const records = ordered.map((video) => videoRecord(video, call));
	return pageResponse(records, { page, size: settings.defaultPageSize }, settings);
}

/** Milliseconds since the epoch of any date that JavaScript reads; a date without time means `timeOfDay` in UTC. */
function date(timeOfDay: string) {
	return z
		.string()
		.transform((value) => Date.parse(/^\d{4}-\d{2}-\d{2}$/.test(value) ? `${value}T${timeOfDay}Z` : value))
		.refine((time) => !Number.isNaN(time), 'is not a date');
}

/** In any case of letters. */
function matchesName(name: string, wanted: string, { videoNameFilter }: ServiceSettings): boolean {
	const [stored, part] = [name.toLowerCase(), wanted.toLowerCase()];
	return videoNameFilter === 'exact' ? stored === part : stored.includes(part);
}

/** A video record under the field names of `settings.recordNames`. */
function videoRecord(video: Video, { state, settings }: Call): object {
	const { hash, name, eventHash } = video;
	const created = writtenDate(video, settings);
	const size = settings.videoSizes ? video.size : undefined;
	const folder = state.folders.find(({ uuid }) => uuid === video.folder);
	const isCamelCase = settings.recordNames === 'camelCase';
	const folderField = {
		uuid: { [isCamelCase ? 'folder_uuid' : 'gallery_uuid']: video.folder },
		name: { folder: folder?.name ?? null },
		id: { folder: folder?.id ?? null },
		none: {},
	}[settings.videoFolders];
	if (isCamelCase) return { hash, name, created_date: created, ...folderField, size, eventHash };
	const renamed = { video_hash: hash, video_name: name, created_at: created, file_size: size };
	return { event_hash: eventHash, ...renamed, ...folderField };
}

/** Undefined when the record has no date. */
function writtenDate({ createdDate }: Video, { videoDates }: ServiceSettings): string | undefined {
	const date = createdDate === '' ? undefined : createdDate;
	return { milliseconds: date, day: date?.slice(0, 10), none: undefined }[videoDates];
}

/** See docs/api-reference.md#disk-usage-of-the-application: bytes of the application's videos. */
export function diskUsageByApplication({ applicationId, state }: Call) {
	const videos = visibleVideos(state).filter((video) => video.applicationId === applicationId);
	return { status: 200, json: { applicationId, diskUsage: bytesOf(videos), videos: videos.length } };
}

/** See docs/api-reference.md#disk-usage-of-a-gallery: bytes of one gallery and of each of its videos. */
export function diskUsageByFolder({ segments, state }: Call) {
	const { name: folder, uuid } = requireFolder(segments.uuid, state);
	const videos = visibleVideos(state).filter((video) => video.folder === uuid);
	const ofVideos = videos.map(({ hash, name, size }) => ({ hash, name, diskUsage: size }));
	return { status: 200, json: { folder, uuid, diskUsage: bytesOf(videos), videos: ofVideos } };
}

function bytesOf(videos: readonly Video[]): number {
	return videos.reduce((sum, video) => sum + video.size, 0);
}

/** Videos that a response may contain now. */
function visibleVideos({ videos }: ServiceState): Video[] {
	return videos.filter((video) => video.appearsAt <= Date.now());
}

/** The video whose hash, and plan if there is one, are in the path. */
function requireVideo({ segments, state, settings }: Call): Video {
	const { video_hash: wanted, plan_id: plan } = segments;
	if (plan !== undefined) requirePlan(plan, settings);
	const videos = visibleVideos(state);
	const video = videos.find(({ hash, planId }) => hash === wanted && planId === (plan ?? planId));
	if (video === undefined) throw new ErrorResponse(404, 'Video not found');
	return video;
}
