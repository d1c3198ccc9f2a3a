import type { ResponseSpec } from './responses';
import type { ServiceSettings } from './settings';
import type { LiveEvent, Video } from './state';

/** The response to docs/api-reference.md#authenticate, whose body is not documented, in each form that the setting may have. */
const authenticateResponses: Record<
	ServiceSettings['authenticateResponse'],
	(token: string) => Omit<ResponseSpec, 'status'>
> = {
	token: (token) => ({ json: { token } }),
	'data.token': (token) => ({ json: { data: { token } } }),
	authorizationHeader: (token) => ({
		json: { user: { id: 7 } },
		headers: { Authorization: `Bearer ${token}` },
	}),
	none: () => ({ json: { message: 'Welcome', user: { id: 7 } } }),
};

export function authenticateResponse(token: string, settings: ServiceSettings): ResponseSpec {
	return { status: 200, ...authenticateResponses[settings.authenticateResponse](token) };
}

/** A list response; `total` is the number of matching records on all pages. */
export function listResponse(
	records: readonly unknown[],
	total: number,
	{ listShape }: ServiceSettings,
): ResponseSpec {
	const shapes = {
		array: records,
		data: { data: records, total },
		items: { items: records, total },
		'data.items': { data: { items: records, total } },
	};
	return { status: 200, json: shapes[listShape] };
}

/** One record, in the form that the settings require. */
export function singleResponse(record: unknown, { singleShape }: ServiceSettings): ResponseSpec {
	return { status: 200, json: singleShape === 'data' ? { data: record } : record };
}

/** Response to a write whose body the reference does not show. */
export function writeResponse(record: unknown, success: string, settings: ServiceSettings): ResponseSpec {
	switch (settings.writeResponse) {
		case 'record':
			return singleResponse(record, settings);
		case 'success':
			return { status: 200, json: { success } };
		case 'empty':
			return { status: 200 };
	}
}

/** An event record under the field names of `settings.recordNames`. */
export function eventRecord(event: LiveEvent, withSecret: boolean, settings: ServiceSettings): object {
	const { eventId, hash, title, dateScheduled, status, planId } = event;
	const secret = withSecret || settings.secretInEveryResponse ? settings.plans[planId] : undefined;
	if (settings.recordNames === 'camelCase') return { ...event, secret };
	return {
		event_id: eventId,
		event_hash: hash,
		title,
		date_scheduled: dateScheduled,
		status,
		plan_id: planId,
		plan_secret: secret,
	};
}

/** A video record under the field names of `settings.recordNames`. */
export function videoRecord(video: Video, settings: ServiceSettings): object {
	const { hash, name } = video;
	const createdDate = writtenVideoDate(video, settings);
	const folder = settings.videoFolders ? video.folder : undefined;
	const size = settings.videoSizes ? video.size : undefined;
	if (settings.recordNames === 'camelCase') {
		return { hash, name, created_date: createdDate, folder_uuid: folder, size };
	}
	return {
		video_hash: hash,
		video_name: name,
		created_at: createdDate,
		gallery_uuid: folder,
		file_size: size,
	};
}

/** Undefined when records have no date. */
export function writtenVideoDate(
	{ createdDate }: Video,
	{ videoDates }: ServiceSettings,
): string | undefined {
	switch (videoDates) {
		case 'milliseconds':
			return createdDate;
		case 'day':
			return createdDate.slice(0, 10);
		case 'none':
			return undefined;
	}
}
