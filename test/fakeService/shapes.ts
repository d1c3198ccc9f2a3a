import type { ResponseSpec } from './responses';
import { ErrorResponse } from './responses';
import type { ServiceSettings } from './settings';
import type { LiveEvent, Video } from './state';
import { jwt } from './tokens';

type Resource = 'event' | 'folder' | 'video';

/** The response to docs/api-reference.md#authenticate, whose body is not documented, in each form that the setting may have. */
const authenticateResponses: Record<
	ServiceSettings['authenticateResponse'],
	(token: string) => Omit<ResponseSpec, 'status'>
> = {
	text: (token) => ({ text: token, headers: { 'Content-Type': 'text/plain; charset=utf-8' } }),
	string: (token) => ({ json: token }),
	token: (token) => ({ json: { token } }),
	access_token: (token) => ({ json: { access_token: token } }),
	accessToken: (token) => ({ json: { accessToken: token } }),
	'data.token': (token) => ({ json: { data: { token } } }),
	'result.accessToken': (token) => ({ json: { result: { accessToken: token } } }),
	'user.token': (token) => ({ json: { user: { id: 7, email: 'producer@example.com', token } } }),
	several: (token) => ({
		json: {
			refresh_token: 'refresh-token-that-opens-nothing',
			token_type: 'Bearer',
			csrfToken: 'csrf-token-that-opens-nothing',
			access_token: token,
			expires_in: 3600,
		},
	}),
	unusualName: (token) => ({ json: { session: { credencial: token, refresh: jwt({ use: 'refresh' }) } } }),
	listedToken: (token) => ({ json: ['signed in', token] }),
	authorizationHeader: (token) => ({
		json: { user: { id: 7 } },
		headers: { Authorization: `Bearer ${token}` },
	}),
	tokenHeader: (token) => ({ json: { user: { id: 7 } }, headers: { 'X-Auth-Token': token } }),
	cookie: (token) => ({ json: {}, headers: { 'Set-Cookie': `session=${token}; Path=/; HttpOnly` } }),
	twoTokens: (token) => ({ json: { first: token, others: [{ second: jwt({ use: 'other' }) }] } }),
	idToken: (token) => ({ json: { id_token: jwt({ use: 'id' }), access_token: token } }),
	none: () => ({ json: { message: 'Welcome', user: { id: 7 } } }),
};

export function authenticateResponse(token: string, settings: ServiceSettings): ResponseSpec {
	return { status: 200, ...authenticateResponses[settings.authenticateResponse](token) };
}

/** A list response; `total` is the number of matching records on all pages. */
export function listResponse(
	resource: Resource,
	records: readonly unknown[],
	paging: { total: number; page: number; pageSize: number },
	settings: ServiceSettings,
): ResponseSpec {
	if (records.length === 0 && settings.emptyList === '404') {
		throw new ErrorResponse(404, `No ${resource}s found`);
	}
	if (records.length === 0 && settings.emptyList === 'null') return { status: 200, json: null };
	return { status: 200, json: wrapList(resource, records, paging, settings) };
}

function wrapList(
	resource: Resource,
	records: readonly unknown[],
	{ total, page, pageSize }: { total: number; page: number; pageSize: number },
	settings: ServiceSettings,
): unknown {
	switch (settings.listShape) {
		case 'array':
			return records;
		case 'data':
		case 'items':
		case 'results':
		case 'records':
			return { [settings.listShape]: records, total };
		case 'resource':
			return { [`${resource}s`]: records, total };
		case 'data.items':
			return { data: { items: records, total } };
		case 'data.resource':
			return { data: { [`${resource}s`]: records }, success: true };
		case 'content':
			return { content: records, totalPages: Math.ceil(total / pageSize), page };
	}
}

/** One record, in the form that the settings require. */
export function singleResponse(resource: Resource, record: unknown, settings: ServiceSettings): ResponseSpec {
	switch (settings.singleShape) {
		case 'record':
			return { status: 200, json: record };
		case 'data':
			return { status: 200, json: { data: record } };
		case 'resource':
			return { status: 200, json: { [resource]: record } };
		case 'array':
			return { status: 200, json: [record] };
	}
}

/** Response to a write whose body the reference does not show. */
export function writeResponse(
	resource: Resource,
	record: unknown,
	success: string,
	settings: ServiceSettings,
): ResponseSpec {
	switch (settings.writeResponse) {
		case 'record':
			return singleResponse(resource, record, settings);
		case 'success':
			return { status: 200, json: { success } };
		case 'empty':
			return { status: 200 };
		case 'emptyArray':
			return { status: 200, json: [] };
	}
}

/** An event record under the field names of `settings.recordNames`. */
export function eventRecord(event: LiveEvent, withSecret: boolean, settings: ServiceSettings): object {
	const secret = withSecret || settings.secretInEveryResponse ? settings.plans[event.planId] : undefined;
	return {
		...namedEventRecord(event, secret, settings),
		...statusFields(event, settings),
	};
}

function statusFields({ status }: LiveEvent, { statusField }: ServiceSettings): object {
	switch (statusField) {
		case 'status':
			return { status };
		case 'liveStatus':
			return { status: 'active', liveStatus: status };
		case 'spaced':
			return { status: status.toLowerCase().replace('_', ' ') };
		case 'undocumented':
			return { status: 'active' };
	}
}

function namedEventRecord(
	{ eventId, hash, title, dateScheduled: scheduled, status, planId }: LiveEvent,
	secret: string | undefined,
	settings: ServiceSettings,
): object {
	const dateScheduled = writtenDate(scheduled, settings);
	switch (settings.recordNames) {
		case 'camelCase':
			return { eventId, hash, title, dateScheduled, status, planId, secret };
		case 'snake_case':
			return {
				event_id: eventId,
				event_hash: hash,
				title,
				date_scheduled: dateScheduled,
				status,
				plan_id: planId,
				plan_secret: secret,
			};
		case 'plain':
			return { id: eventId, hash, name: title, date: dateScheduled, status, secret };
		case 'nestedPlan':
			return { eventId, hash, title, dateScheduled, status, plan: { id: planId, secret } };
	}
}

function writtenDate(dateScheduled: string, { eventDates }: ServiceSettings): string | number {
	const [date = '', time = ''] = dateScheduled.split(' ');
	const moment = Date.parse(`${date}T${time}Z`);
	switch (eventDates) {
		case 'documented':
			return dateScheduled;
		case 'dayFirst':
			return `${date.split('-').reverse().join('/')} ${time.slice(0, 5)}`;
		case 'milliseconds':
			return moment;
		case 'httpDate':
			return new Date(moment).toUTCString();
	}
}

/** A video record under the field names of `settings.recordNames`. */
export function videoRecord(video: Video, settings: ServiceSettings): object {
	const { hash, name } = video;
	const createdDate = writtenVideoDate(video, settings);
	const folder = settings.videoFolders ? video.folder : undefined;
	const size = settings.videoSizes ? video.size : undefined;
	switch (settings.recordNames) {
		case 'camelCase':
			return { hash, name, created_date: createdDate, folder_uuid: folder, size };
		case 'snake_case':
			return {
				video_hash: hash,
				video_name: name,
				created_at: createdDate,
				gallery_uuid: folder,
				file_size: size,
			};
		case 'plain':
			return { id: hash, hash, title: name, date: createdDate, folder, bytes: size };
		case 'nestedPlan':
			return {
				videoHash: hash,
				name,
				createdDate,
				folder: typeof folder === 'string' ? { uuid: folder } : folder,
				sizeInBytes: size,
				plan: { id: video.planId },
			};
	}
}

/** Undefined when records have no date. */
export function writtenVideoDate(
	{ createdDate }: Video,
	{ videoDates }: ServiceSettings,
): string | number | undefined {
	switch (videoDates) {
		case 'milliseconds':
			return createdDate;
		case 'seconds':
			return `${createdDate.slice(0, 19)}Z`;
		case 'day':
			return createdDate.slice(0, 10);
		case 'epoch':
			return Date.parse(createdDate);
		case 'none':
			return undefined;
	}
}
