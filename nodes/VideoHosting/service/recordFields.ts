import type { IDataObject } from 'n8n-workflow';

import { UUID_REGEX } from '../parameters/references';
import { fieldOf, firstText, isRecord } from '../shared/jsonFields';

/**
 * The fields of events, folders and videos, one function each. The reference does not show all records
 * (docs/api-reference.md#what-is-not-documented), so each function accepts the usual names of its field.
 */

/** The numeric event identifier (`eventId` in docs/api-reference.md#event). */
export function eventIdOf(event: IDataObject): number | undefined {
	const id = Number(firstText(event, ['eventid', 'idevent', 'id']));
	return Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

/** The event hash (`hash` in docs/api-reference.md#event). */
export function eventHashOf(event: IDataObject): string | undefined {
	return firstText(event, ['hash', 'eventhash', 'hashevent']);
}

/** The secret of the plan that an event record contains (docs/api-reference.md#search-all-events), flat or inside the plan. */
export function planSecretOf(event: IDataObject): string | undefined {
	const plan = fieldOf(event, 'plan');
	return firstText(event, SECRET_NAMES) ?? (isRecord(plan) ? firstText(plan, SECRET_NAMES) : undefined);
}

const SECRET_NAMES = ['secret', 'plansecret'];

export function eventTitleOf(event: IDataObject): string | undefined {
	return firstText(event, ['title', 'eventtitle', 'name', 'eventname']);
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

/** When a video or a folder was created, as the service wrote it. */
export function createdDateOf(record: IDataObject): string | undefined {
	return firstText(record, ['createddate', 'createdat', 'created', 'creationdate', 'datecreated', 'date']);
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

/**
 * Whether a video is in a folder: by UUID or, where its record has none, by name.
 *
 * @param folder the record of the folder
 * @returns undefined when the record of the video does not contain its folder, which is not documented
 * (docs/api-reference.md#what-is-not-documented)
 */
export function isInFolder(video: IDataObject, folder: IDataObject): boolean | undefined {
	const { uuid, name } = videoFolderOf(video);
	if (uuid !== undefined) return isSameUuid(uuid, folderUuidOf(folder));
	if (name !== undefined) return isSameName(name, folderNameOf(folder) ?? '');
	return isInNoFolder(video) ? false : undefined;
}

/** What a message calls the records of a list, and what a user knows them by. */
export interface RecordKind {
	one: string;
	/** The parameter in the panel. */
	field: string;
	/** What a user types: `title` or `name`. */
	nameLabel: string;
	idLabel: string;
	idOf: (record: IDataObject) => string | undefined;
	nameOf: (record: IDataObject) => string | undefined;
	dateOf: (record: IDataObject) => string | undefined;
}

export const EVENTS: RecordKind = {
	one: 'event',
	field: 'Event',
	nameLabel: 'title',
	idLabel: 'Hash',
	idOf: eventHashOf,
	nameOf: eventTitleOf,
	dateOf: dateScheduledOf,
};

export const FOLDERS: RecordKind = {
	one: 'folder',
	field: 'Folder',
	nameLabel: 'name',
	idLabel: 'UUID',
	idOf: folderUuidOf,
	nameOf: folderNameOf,
	dateOf: createdDateOf,
};

export const VIDEOS: RecordKind = {
	one: 'video',
	field: 'Video',
	nameLabel: 'name',
	idLabel: 'Hash',
	idOf: videoHashOf,
	nameOf: videoNameOf,
	dateOf: createdDateOf,
};

/** Whether two UUIDs are the same, in upper or lower case; undefined stands for none. */
export function isSameUuid(one: string | undefined, other: string | undefined): boolean {
	return one?.toLowerCase() === other?.toLowerCase();
}

/** Whether two names are the same but for white space around them and the way their accents are written. */
export function isSameName(one: string, other: string): boolean {
	return comparableName(one) === comparableName(other);
}

/** The same letters may be written with combined or separate accents (Unicode normalization form C). */
export function comparableName(name: string): string {
	return name.trim().normalize('NFC');
}

/** Names of what identifies a record; an ID may also be that of another record. */
const HASH_NAMES = ['hash', 'eventhash', 'hashevent', 'videohash', 'hashvideo', 'uuid'];
const ID_NAMES = ['eventid', 'idevent', 'videoid', 'idvideo'];

/** Whether an object is a record, and not what wraps one. */
export function hasIdentity(record: IDataObject): boolean {
	return firstText(record, [...HASH_NAMES, ...ID_NAMES]) !== undefined;
}

/** What distinguishes a record from the others of its list: its hash, UUID or ID, else its whole content. */
export function identityOf(record: IDataObject): string {
	return firstText(record, [...HASH_NAMES, 'id', ...ID_NAMES]) ?? JSON.stringify(record);
}
