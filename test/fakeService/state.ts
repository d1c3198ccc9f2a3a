import { randomBytes, randomUUID } from 'node:crypto';

import type { ServiceSettings } from './settings';

export interface LiveEvent {
	eventId: number;
	hash: string;
	planId: string;
	title: string;
	/** `YYYY-MM-DD HH:mm:ss` */
	dateScheduled: string;
	/** An {@link EventStatus}, or whatever a test seeds. */
	status: string | number;
}

/** Fields as in the reference's Folder table. */
export interface Folder {
	id: number;
	id_customer_plans: number;
	parentId: number | null;
	hierarchyLevel: number | null;
	name: string;
	description: string;
	created_date: string;
	updated_date: string;
	uuid: string;
}

export interface Video {
	hash: string;
	name: string;
	planId: string;
	applicationId: string;
	/** UUID of the gallery. */
	folder: string | null;
	/** Bytes. */
	size: number;
	/** ISO 8601 UTC; '' for a record without a date. */
	createdDate: string;
	/** Of the event that it is a recording of. */
	eventHash?: string;
	/** Milliseconds since the epoch; responses do not contain the video before. */
	appearsAt: number;
	/** The upload that it came from; no response contains it. */
	uploadId: string | null;
	/** SHA-256 of its bytes in hex, null when unknown; no response contains it. */
	sha256: string | null;
	thumbnail: { filename: string; contentType: string; bytes: number; sha256: string } | null;
}

export interface Upload {
	id: string;
	applicationId: string;
	filename: string;
	/** Bytes, from Upload-Length. */
	size: number;
	/** Acknowledged bytes, as HEAD returns them. */
	offset: number;
	/** UUID of the target gallery. */
	folder: string | null;
	/** Hex, once complete and unless hashing is off. */
	sha256: string | null;
	complete: boolean;
	/** Body bytes that arrived in all its PATCHes, stored or discarded: what exceeds `size` was sent in vain. */
	bytesReceived: number;
	/** A PATCH is under way. */
	transferring: boolean;
}

export interface ServiceState {
	events: LiveEvent[];
	folders: Folder[];
	videos: Video[];
	uploads: Upload[];
	/** Most uploads that ever had a PATCH under way at the same time. */
	maxSimultaneousPatches: number;
}

export function emptyState(): ServiceState {
	return { events: [], folders: [], videos: [], uploads: [], maxSimultaneousPatches: 0 };
}

/** Adds an event; its date defaults to 18:00 on consecutive days from 2030-01-01, by event ID. */
export function addEvent(
	state: ServiceState,
	settings: ServiceSettings,
	given: Partial<LiveEvent>,
): LiveEvent {
	const eventId = given.eventId ?? (state.events.at(-1)?.eventId ?? 4000) + 1;
	const date = new Date(Date.UTC(2030, 0, eventId - 4000, 18)).toISOString();
	const event: LiveEvent = {
		eventId,
		hash: randomHash(),
		planId: settings.planId,
		title: `Event ${eventId}`,
		dateScheduled: `${date.slice(0, 10)} ${date.slice(11, 19)}`,
		status: 'WAITING_LIVE',
		...given,
	};
	state.events.push(event);
	return event;
}

export function addFolder(state: ServiceState, given: Partial<Folder>): Folder {
	const id = given.id ?? (state.folders.at(-1)?.id ?? 100) + 1;
	const folder: Folder = {
		id,
		id_customer_plans: 1,
		parentId: null,
		hierarchyLevel: null,
		name: `Folder ${id}`,
		description: '',
		created_date: now(),
		updated_date: now(),
		uuid: randomUUID(),
		...given,
	};
	state.folders.push(folder);
	return folder;
}

export function addVideo(state: ServiceState, settings: ServiceSettings, given: Partial<Video>): Video {
	const video: Video = {
		hash: randomHash(),
		name: `Video ${state.videos.length + 1}.mp4`,
		planId: settings.planId,
		applicationId: settings.applicationId,
		folder: null,
		size: 1_000_000,
		createdDate: now(),
		appearsAt: 0,
		uploadId: null,
		sha256: null,
		thumbnail: null,
		...given,
	};
	state.videos.push(video);
	return video;
}

/** By Date.now(), which tests move. */
export function now(): string {
	return new Date(Date.now()).toISOString();
}

function randomHash(): string {
	return randomBytes(16).toString('hex');
}
