import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';

import { eventStatuses, type ServiceSettings } from './settings';

export const liveEventSchema = z
	.object({
		eventId: z.number().int(),
		hash: z.string(),
		planId: z.string(),
		title: z.string(),
		/** `YYYY-MM-DD HH:mm:ss` */
		dateScheduled: z.string(),
		status: z.enum(eventStatuses),
	})
	.strict();

/** Fields as in the reference's Folder table. */
export const folderSchema = z
	.object({
		id: z.number().int(),
		id_customer_plans: z.number().int(),
		parentId: z.number().nullable(),
		hierarchyLevel: z.number().nullable(),
		name: z.string(),
		description: z.string(),
		created_date: z.string(),
		updated_date: z.string(),
		uuid: z.string().uuid(),
	})
	.strict();

export const videoSchema = z
	.object({
		hash: z.string(),
		name: z.string(),
		planId: z.string(),
		applicationId: z.string(),
		/** UUID of the gallery. */
		folder: z.string().nullable(),
		/** Bytes. */
		size: z.number().int(),
		/** ISO 8601 UTC. */
		createdDate: z.string(),
		/** Milliseconds since the epoch; responses do not contain the video before. */
		appearsAt: z.number(),
		/** The upload that it came from; no response contains it. */
		uploadId: z.string().nullable(),
		/** SHA-256 of its bytes in hex, null when unknown; no response contains it. */
		sha256: z.string().nullable(),
		thumbnail: z
			.object({ filename: z.string(), contentType: z.string(), bytes: z.number(), sha256: z.string() })
			.nullable(),
	})
	.strict();

export type LiveEvent = z.infer<typeof liveEventSchema>;
export type Folder = z.infer<typeof folderSchema>;
export type Video = z.infer<typeof videoSchema>;

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
	/** Milliseconds since the epoch. */
	createdAt: number;
	/** Milliseconds since the epoch; last byte or creation. */
	touchedAt: number;
	/** Body bytes that arrived in all its PATCHes, stored or discarded: what exceeds `size` was sent in vain. */
	bytesReceived: number;
	/** One entry per PATCH that was let in. */
	patches: Array<{ offset: number; stored: number; received: number }>;
	/** A PATCH is under way. */
	transferring: boolean;
	/** Chunks as stored, when the setting keepBytes is on. */
	content: Buffer[];
}

export interface ServiceState {
	events: LiveEvent[];
	folders: Folder[];
	videos: Video[];
	uploads: Upload[];
	/** Uploads that were ever created, also those that are forgotten. */
	uploadsCreated: number;
	/** Most uploads that ever had a PATCH under way at the same time. */
	maxSimultaneousPatches: number;
}

export function emptyState(): ServiceState {
	return { events: [], folders: [], videos: [], uploads: [], uploadsCreated: 0, maxSimultaneousPatches: 0 };
}

/** Adds an event; its date defaults to 18:00 on consecutive days from 2030-01-01, by event ID. */
export function addEvent(
	state: ServiceState,
	settings: ServiceSettings,
	given: Partial<LiveEvent>,
): LiveEvent {
	const eventId = given.eventId ?? (state.events.at(-1)?.eventId ?? 4000) + 1;
	const date = new Date(Date.UTC(2030, 0, 1 + (eventId - 4001), 18)).toISOString();
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

/** When folders were created by a request, in milliseconds since the epoch. */
const folderCreations = new WeakMap<Folder, number>();

/** Makes the folder list contain a folder only after `folderAppearsAfterMs`. */
export function listLater(folder: Folder): Folder {
	folderCreations.set(folder, Date.now());
	return folder;
}

/** Folders that the list may contain now. */
export function listedFolders(
	{ folders }: ServiceState,
	{ folderAppearsAfterMs }: ServiceSettings,
): Folder[] {
	const newest = Date.now() - folderAppearsAfterMs;
	return folders.filter(
		(folder) => folderAppearsAfterMs === 0 || (folderCreations.get(folder) ?? 0) <= newest,
	);
}

export function addFolder(state: ServiceState, given: Partial<Folder>): Folder {
	const id = given.id ?? (state.folders.at(-1)?.id ?? 100) + 1;
	const now = new Date().toISOString();
	const folder: Folder = {
		id,
		id_customer_plans: 1,
		parentId: null,
		hierarchyLevel: null,
		name: `Folder ${id}`,
		description: '',
		created_date: now,
		updated_date: now,
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
		// Date.now() is what tests move.
		createdDate: new Date(Date.now()).toISOString(),
		appearsAt: 0,
		uploadId: null,
		sha256: null,
		thumbnail: null,
		...given,
	};
	state.videos.push(video);
	return video;
}

/** Adds `what` records with defaults, or one for each (partial) record given, and returns those made. */
export function seed<T>(what: number | Array<Partial<T>>, add: (given: Partial<T>) => T): T[] {
	const given: Array<Partial<T>> = typeof what === 'number' ? Array.from({ length: what }, () => ({})) : what;
	return given.map(add);
}

function randomHash(): string {
	return randomBytes(16).toString('hex');
}
