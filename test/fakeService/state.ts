import { randomBytes, randomUUID } from 'node:crypto';

import type { ServiceSettings } from './settings';

export type LiveEvent = ReturnType<typeof newEvent>;
export type Folder = ReturnType<typeof newFolder>;
export type Video = ReturnType<typeof newVideo>;
export type Upload = ReturnType<typeof newUpload>;
export type ServiceState = ReturnType<typeof emptyState>;

export function emptyState() {
	return {
		events: [] as LiveEvent[],
		folders: [] as Folder[],
		videos: [] as Video[],
		uploads: [] as Upload[],
		/** Most uploads that ever had a PATCH under way at the same time. */
		maxSimultaneousPatches: 0,
	};
}

/** Its date is 18:00 on consecutive days from 2030-01-01, by event ID. */
function newEvent(eventId: number, planId: string) {
	const date = new Date(Date.UTC(2030, 0, eventId - 4000, 18)).toISOString();
	return {
		eventId,
		hash: randomHash(),
		planId,
		title: `Event ${eventId}`,
		/** `YYYY-MM-DD HH:mm:ss` */
		dateScheduled: `${date.slice(0, 10)} ${date.slice(11, 19)}`,
		/** An {@link EventStatus}, or whatever a test seeds. */
		status: 'WAITING_LIVE' as string | number,
	};
}

/** Fields as in the reference's Folder table. */
function newFolder(id: number) {
	return {
		id,
		id_customer_plans: 1,
		parentId: null as number | null,
		hierarchyLevel: null,
		name: `Folder ${id}`,
		description: '',
		created_date: now(),
		updated_date: now(),
		uuid: randomUUID() as string,
	};
}

function newVideo(number: number, { planId, applicationId }: ServiceSettings) {
	return {
		hash: randomHash(),
		name: `Video ${number}.mp4`,
		planId,
		applicationId,
		/** UUID of the gallery. */
		folder: null as string | null,
		/** Bytes. */
		size: 1_000_000,
		/** ISO 8601 UTC; '' for a record without a date. */
		createdDate: now(),
		/** Of the event that it is a recording of. */
		eventHash: undefined as string | undefined,
		/** Milliseconds since the epoch; responses do not contain the video before. */
		appearsAt: 0,
		/** The upload that it came from; no response contains it. */
		uploadId: null as string | null,
		/** SHA-256 of its bytes in hex, null when unknown; no response contains it. */
		sha256: null as string | null,
		thumbnail: null as { filename: string; contentType: string; bytes: number; sha256: string } | null,
	};
}

/** @param folder UUID of the target gallery */
export function newUpload(applicationId: string, filename: string, size: number, folder: string | null) {
	return {
		id: randomUUID() as string,
		applicationId,
		filename,
		/** Bytes, from Upload-Length. */
		size,
		/** Acknowledged bytes, as HEAD returns them. */
		offset: 0,
		folder,
		/** Hex, once complete and unless hashing is off. */
		sha256: null as string | null,
		complete: false,
		/** Body bytes that arrived in all its PATCHes, stored or discarded: what exceeds `size` was sent in vain. */
		bytesReceived: 0,
		/** A PATCH is under way. */
		transferring: false,
	};
}

export function addEvent({ events }: ServiceState, settings: ServiceSettings, given: Partial<LiveEvent>) {
	const eventId = given.eventId ?? (events.at(-1)?.eventId ?? 4000) + 1;
	return added(events, { ...newEvent(eventId, settings.planId), ...given });
}

export function addFolder({ folders }: ServiceState, given: Partial<Folder>) {
	return added(folders, { ...newFolder(given.id ?? (folders.at(-1)?.id ?? 100) + 1), ...given });
}

export function addVideo({ videos }: ServiceState, settings: ServiceSettings, given: Partial<Video>) {
	return added(videos, { ...newVideo(videos.length + 1, settings), ...given });
}

/** A title or name as the service stores it. */
export function storedName(name: string, { namesCutAt, namesStripped }: ServiceSettings): string {
	const kept = namesStripped ? name.replace(/[<>\p{Extended_Pictographic}]|[. ]+$/gu, '') : name;
	return namesCutAt > 0 ? [...kept].slice(0, namesCutAt).join('') : kept;
}

function added<T>(records: T[], record: T): T {
	records.push(record);
	return record;
}

/** By Date.now(), which tests move. */
export function now(): string {
	return new Date(Date.now()).toISOString();
}

function randomHash(): string {
	return randomBytes(16).toString('hex');
}
