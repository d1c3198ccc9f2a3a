import type { IDataObject } from 'n8n-workflow';

import { UUID_REGEX } from '../parameters/identifiers';
import { documentedStatus } from './eventStatuses';
import { fieldEntries, fieldOf, firstText, isRecord, normalizedName } from '../shared/jsonFields';

/**
 * The fields of events, folders and videos, one function each. The reference does not show all records
 * (docs/api-reference.md#what-is-not-documented), so each function accepts the usual names of its field.
 */

/** Whether a record is that of an event: it contains at least one of the fields that the reference mentions. */
export function isEvent(record: IDataObject): boolean {
	const texts = [eventHashOf(record), eventIdOf(record), eventTitleOf(record), dateScheduledOf(record)];
	return (
		texts.some((text) => text !== undefined) ||
		documentedStatus(statusFieldOf(record)?.text ?? '') !== undefined
	);
}

/** The numeric event identifier (`eventId` in docs/api-reference.md#event). */
export function eventIdOf(event: IDataObject): number | undefined {
	const id = Number(firstText(event, ['eventid', 'idevent', 'id']));
	return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The event hash (`hash` in docs/api-reference.md#event). */
export function eventHashOf(event: IDataObject): string | undefined {
	return firstText(event, ['hash', 'eventhash', 'hashevent']);
}

/**
 * The secret of the live plan that an event record carries (docs/api-reference.md#search-all-events), flat or inside
 * the plan's own object.
 */
export function planSecretOf(event: IDataObject): string | undefined {
	const flat = firstText(event, ['secret', 'plansecret', 'livesecret', 'livessecret', 'secretkey']);
	if (flat !== undefined) return flat;
	for (const name of ['plan', 'liveplan', 'customerplan', 'live']) {
		const nested = fieldOf(event, name);
		const secret = isRecord(nested) ? planSecretOf(nested) : undefined;
		if (secret !== undefined) return secret;
	}
	return undefined;
}

export function eventTitleOf(event: IDataObject): string | undefined {
	return firstText(event, ['title', 'eventtitle', 'name', 'eventname']);
}

/** Names of the status of an event, the usual ones first. */
const STATUS_NAMES = ['status', 'eventstatus', 'livestatus', 'state'];

/** Other names of a status; not those of an earlier or later one, such as `previousStatus`. */
const OTHER_STATUS_NAME = /^(?!prev|last|old|former|next|initial|default).*(status|state)$/;

/**
 * The field that holds the status of an event, with its path (`status`, `live.status`). A documented status in one of
 * several status fields is preferred: `{ status: 'active', liveStatus: 'LIVE' }` has the status LIVE.
 */
export function statusFieldOf(event: IDataObject): { path: string; text: string } | undefined {
	const fields = [...fieldEntries(event)].flatMap(({ path, value }) => {
		// `status: { name: 'LIVE' }` is named by its parent; deeper fields belong to other records.
		const name = path.map(normalizedName).find((part) => OTHER_STATUS_NAME.test(part));
		if (name === undefined || path.length > 2 || !(typeof value === 'string' || typeof value === 'number'))
			return [];
		const rank = (STATUS_NAMES.indexOf(name) + 1 || STATUS_NAMES.length + 1) + (path.length - 1) * 10;
		return String(value).trim() === '' ? [] : [{ name, rank, path: path.join('.'), text: String(value) }];
	});
	fields.sort((a, b) => a.rank - b.rank);
	return (
		fields.find(({ text }) => documentedStatus(text) !== undefined) ??
		fields.find(({ rank }) => rank <= STATUS_NAMES.length)
	);
}

/**
 * The status of an event: a documented one as the reference writes it (`ON_DEMAND`, also for `on demand`), any other text in
 * upper case.
 */
export function eventStatusOf(event: IDataObject): string | undefined {
	const text = statusFieldOf(event)?.text;
	return text === undefined ? undefined : (documentedStatus(text) ?? text.trim().toUpperCase());
}

/** The time an event is scheduled for, as the service wrote it (`YYYY-MM-DD HH:mm:ss` when it is created). */
export function dateScheduledOf(event: IDataObject): string | undefined {
	return firstText(event, [
		'datescheduled',
		'scheduleddate',
		'scheduledat',
		'dateschedule',
		'date',
		'startdate',
	]);
}

export function folderUuidOf(folder: IDataObject): string | undefined {
	return firstText(folder, ['uuid', 'folderuuid', 'galleryuuid']);
}

export function folderNameOf(folder: IDataObject): string | undefined {
	return firstText(folder, ['name', 'foldername', 'title']);
}

export function videoHashOf(video: IDataObject): string | undefined {
	return firstText(video, ['hash', 'videohash', 'hashvideo']);
}

/** The ID of a video as text, for a service whose records have one. */
export function videoIdOf(video: IDataObject): string | undefined {
	return firstText(video, ['uuid', 'videoid', 'idvideo', 'id']);
}

export function videoNameOf(video: IDataObject): string | undefined {
	return firstText(video, ['name', 'videoname', 'title', 'filename']);
}

/** Bytes of a video's file; undefined when the record does not contain them, or only in another unit. */
export function videoSizeOf(video: IDataObject): number | undefined {
	const size = Number(
		firstText(video, ['sizeinbytes', 'filesizeinbytes', 'sizebytes', 'bytes', 'filesize', 'size']),
	);
	return Number.isSafeInteger(size) && size > 0 ? size : undefined;
}

/** When a video was created, as the service wrote it. */
export function videoCreatedOf(video: IDataObject): string | undefined {
	return firstText(video, ['createddate', 'createdat', 'created', 'creationdate', 'datecreated', 'date']);
}

/** The folder that a video is in, by UUID or by name, as far as the record contains them. */
export function videoFolderOf(video: IDataObject): { uuid?: string; name?: string } {
	const nested = ['folder', 'gallery'].map((name) => fieldOf(video, name)).find(isRecord);
	if (nested) return { uuid: folderUuidOf(nested), name: folderNameOf(nested) };
	const name = firstText(video, ['foldername', 'galleryname']);
	const text = firstText(video, ['folderuuid', 'galleryuuid', 'folder', 'gallery']);
	const isUuid = text !== undefined && new RegExp(UUID_REGEX).test(text);
	return { uuid: isUuid ? text : undefined, name: name ?? (isUuid ? undefined : text) };
}

/** Whether a record contains a field for the folder of the video, and that field is empty. */
export function isInNoFolder(video: IDataObject): boolean {
	const values = ['folderuuid', 'galleryuuid', 'folder', 'gallery'].map((name) => fieldOf(video, name));
	const shown = values.filter((value) => value !== undefined);
	return shown.length > 0 && shown.every((value) => value === null || value === '');
}

/** What distinguishes a record from the others of its list: its hash, UUID or ID, else its whole content. */
export function identityOf(record: IDataObject): string {
	return (
		firstText(record, ['hash', 'eventhash', 'videohash', 'uuid', 'eventid', 'videoid', 'id']) ??
		JSON.stringify(record)
	);
}
