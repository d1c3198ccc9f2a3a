import { createHash } from 'node:crypto';
import { z } from 'zod';

import { badRequest, ErrorResponse, type ResponseSpec } from './responses';
import { required, type Call } from './call';
import { requirePlan } from './events';
import { requireFolder } from './folders';
import { cutPage, checkPastLastPage, sorted } from './paging';
import type { ServiceSettings } from './settings';
import { listResponse, videoRecord, writeResponse, writtenVideoDate } from './shapes';
import type { Video } from './state';
import { matchesName } from './videoNames';

const nonEmpty = z.string().min(1);

/** See docs/api-reference.md#delete-a-video. */
export function videoDelete(call: Call): ResponseSpec {
	const video = requireVideoOfPlan(call);
	call.state.videos = call.state.videos.filter((candidate) => candidate !== video);
	return writeResponse(videoRecord(video, call.settings), 'Video deleted', call.settings);
}

/** See docs/api-reference.md#set-a-thumbnail: one part named `file`, with a file name. */
export function videoThumbnail(call: Call): ResponseSpec {
	const video = requireVideoOfPlan(call);
	const [file, ...others] = call.form;
	if (file === undefined || others.length > 0) throw badRequest('form: not exactly one field');
	if (file.field !== 'file') throw badRequest('form: the field is not named file');
	if (file.filename === '') throw badRequest('form.file: has no file name');
	if (file.bytes.length === 0) throw badRequest('form.file: is empty');
	if (!file.contentType.startsWith('image/')) {
		throw badRequest(`form.file: its type is ${file.contentType}, no image`);
	}
	video.thumbnail = {
		filename: file.filename,
		contentType: file.contentType,
		bytes: file.bytes.length,
		sha256: createHash('sha256').update(file.bytes).digest('hex'),
	};
	return writeResponse(videoRecord(video, call.settings), 'Thumbnail uploaded', call.settings);
}

const editBody = z.object({ name: nonEmpty });

/** See docs/api-reference.md#rename-a-video. */
export function videoEdit(call: Call): ResponseSpec {
	const { name } = required(editBody, call.body, 'body');
	const video = requireVideoOfPlan(call);
	video.name = name;
	return writeResponse(videoRecord(video, call.settings), 'Video updated', call.settings);
}

const listBody = z.object({ payload: z.object({ planId: nonEmpty }) });
const listQuery = z.object({
	page: z
		.string()
		.regex(/^[1-9]\d*$/, 'is not a page number')
		.transform(Number)
		.default('1'),
	name: z.string().optional(),
	initialDate: date('00:00:00.000').optional(),
	endDate: date('23:59:59.999').optional(),
	orderBy: z.enum(['created_date', 'name']).optional(),
	sort: nonEmpty.optional(),
});

/** See docs/api-reference.md#list-videos. */
export function videoList({ body, query, state, settings, listAtMost }: Call): ResponseSpec {
	const { planId } = required(listBody, body, 'body').payload;
	const { page, name, initialDate, endDate, orderBy, sort } = required(listQuery, query, 'query');
	requirePlan(planId, settings);
	const matching = visibleVideos(state.videos).filter((video) => {
		const created = Date.parse(video.createdDate);
		return (
			video.planId === planId &&
			(name === undefined || matchesName(video.name, name, settings)) &&
			(initialDate === undefined || created >= initialDate) &&
			(endDate === undefined || created <= endDate)
		);
	});
	const plain = inPlainOrder(matching, settings);
	// By what the records contain: a date of whole days orders no videos of one day.
	const key = (video: Video) => (orderBy === 'name' ? video.name : (writtenVideoDate(video, settings) ?? ''));
	const ordered = orderBy === undefined || settings.videoOrderByIgnored ? plain : sorted(plain, key, sort);
	const cut = cutPage(ordered, page, settings.defaultPageSize, 1, settings);
	checkPastLastPage(cut, 1, settings);
	const records = cut.records.slice(0, listAtMost).map((video) => videoRecord(video, settings));
	return listResponse(records, cut.total, settings);
}

function inPlainOrder(videos: readonly Video[], { videoOrder }: ServiceSettings): readonly Video[] {
	switch (videoOrder) {
		case 'oldestFirst':
			return videos;
		case 'newestFirst':
			return videos.toReversed();
		case 'random':
			return sorted(videos, ({ hash }) => hash, 'asc');
	}
}

const moveBody = z.object({ folder_uuid: z.string().uuid() });

/** See docs/api-reference.md#move-a-video. */
export function videoMove({ body, segments, state, settings }: Call): ResponseSpec {
	const { folder_uuid: uuid } = required(moveBody, body, 'body');
	const video = requireVideo(state.videos, (candidate) => candidate.hash === segments.video_hash);
	video.folder = requireFolder(uuid, state).uuid;
	return writeResponse(videoRecord(video, settings), 'Video moved', settings);
}

/** Videos that a response may contain now. */
export function visibleVideos(videos: readonly Video[]): Video[] {
	const now = Date.now();
	return videos.filter((video) => video.appearsAt <= now);
}

function requireVideoOfPlan({ segments, state, settings }: Call): Video {
	requirePlan(segments.plan_id ?? '', settings);
	return requireVideo(
		state.videos,
		({ hash, planId }) => hash === segments.video_hash && planId === segments.plan_id,
	);
}

function requireVideo(videos: readonly Video[], wanted: (video: Video) => boolean): Video {
	const video = visibleVideos(videos).find(wanted);
	if (video === undefined) throw new ErrorResponse(404, 'Video not found');
	return video;
}

/** Milliseconds since the epoch of any date that JavaScript reads; a date without time means `timeOfDay` in UTC. */
function date(timeOfDay: string) {
	return z.string().transform((value, context) => {
		const dateOnly = /^\d{4}-\d{2}-\d{2}$/.test(value);
		const time = Date.parse(dateOnly ? `${value}T${timeOfDay}Z` : value);
		if (Number.isNaN(time)) context.addIssue({ code: 'custom', message: 'is not a date' });
		return time;
	});
}
