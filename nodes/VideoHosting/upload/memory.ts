import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import { latestCreated, withName, type Video } from '../service/video';
import type { ContentDigest } from '../sources/contentDigest';
import { applicationOf } from '../transport/credential';
import type { UploadFile, UploadState } from './tus/uploadRequests';
import { hasMark, markedNamesOf, videoNamesOf } from './videoNames';

/** How long a complete upload counts although no list shows its video; milliseconds. */
export const REMEMBERED_MS = 10 * 60 * 1000;

type UploadStatus =
	/** Created by Upload → Create, and not sent yet. */
	| 'reserved'
	| 'unfinished'
	/** The service has all bytes; the video lacks its title or thumbnail. */
	| 'complete'
	| 'done'
	/** All bytes were sent, and the service does not know the upload. */
	| 'lost';

/** What this process knows of one upload. */
export interface UploadRecord {
	readonly uploadId: string;
	status: UploadStatus;
	/** Last change of `isBusy`, or the creation; milliseconds since 1970. */
	at: number;
	/** Locked by an item that works on the upload, or waits for the slot to do so. */
	isBusy: boolean;
	/** The name has no mark. */
	readonly file: UploadFile;
	/** Last known offset at the service, in bytes. */
	offset: number;
	/** When this record was made, in milliseconds since 1970. */
	readonly startedAt: number;
	/** Service time at which the video did not exist yet; milliseconds since 1970. */
	readonly createdAt?: number;
	/** Service time of the last response that showed it unfinished; milliseconds since 1970. */
	unfinishedAt?: number;
	/** Random part of the video's first name; undefined when the video is named like the file. */
	readonly mark?: string;
	/** Created by another process, so that a mark and the folder are not known. */
	readonly isForeign?: boolean;
	/** Title for the video; '' for none. */
	title: string;
	planId?: string;
	/** Whether the video is still to get a thumbnail, which Resume cannot set. */
	needsThumbnail?: boolean;
	/** Digest of the bytes that were sent. */
	content?: ContentDigest;
	/** `all`: the last byte was sent; `accepted`: the service confirmed it. */
	sent?: 'all' | 'accepted';
	/** First confirmation of the last byte, in milliseconds since 1970. */
	completeAt?: number;
	/** Undefined until identified. */
	video?: Video;
}

/** Keyed by base URL and application ID. Tests clear the map as a restart of n8n does. */
export const memories = new Map<string, UploadMemory>();

/** With more records of one application, the oldest needless ones are dropped: no run continues their uploads. */
const MOST_RECORDS = 1_000;
const NEEDLESS: UploadStatus[] = ['done', 'lost'];

/**
 * The uploads of one application in this process, until n8n restarts. Answers three questions: is the file uploaded already, is an
 * upload of the file unfinished, and which unfinished upload may hold the slot?
 */
export class UploadMemory {
	private readonly records = new Map<string, UploadRecord>();

	/** The latest upload of this process that the service created, or accepted bytes of. */
	lastInSlot: UploadRecord | undefined;

	static async of(context: IExecuteFunctions): Promise<UploadMemory> {
		const application = await applicationOf(context);
		const memory = memories.get(application) ?? new UploadMemory();
		memories.set(application, memory);
		return memory;
	}

	find(uploadId: string | undefined): UploadRecord | undefined {
		return uploadId === undefined ? undefined : this.records.get(uploadId);
	}

	/** The upload whose identified video has this hash. */
	ofVideo(hash: string | undefined): UploadRecord | undefined {
		return this.all(({ video }) => video !== undefined && video.hash === hash)[0];
	}

	/** The matching records, the latest `at` first. */
	all(matches: (record: UploadRecord) => boolean): UploadRecord[] {
		return [...this.records.values()].filter(matches).sort((one, other) => other.at - one.at);
	}

	/** The uploads of a file with this status that no item has locked, the latest first. */
	idleOf(file: UploadFile, status: UploadStatus): UploadRecord[] {
		return this.all((record) => record.status === status && !record.isBusy && isSameFile(record.file, file));
	}

	add(
		fields: Pick<UploadRecord, 'uploadId' | 'status' | 'isBusy' | 'file'> & Partial<UploadRecord>,
	): UploadRecord {
		const now = Date.now();
		const record = { title: '', offset: 0, ...fields, at: now, startedAt: now };
		this.records.set(record.uploadId, record);
		for (const { uploadId, isBusy, status } of this.records.values())
			if (this.records.size > MOST_RECORDS && !isBusy && NEEDLESS.includes(status))
				this.records.delete(uploadId);
		return record;
	}

	/** Adds an upload that another process created, locked by its Resume. */
	addForeign(uploadId: string, file: UploadFile, { offset, time }: UploadState): UploadRecord {
		const createdAt = offset < file.size ? time : undefined;
		return this.add({
			uploadId,
			file: { ...file, folder: undefined },
			offset,
			createdAt,
			status: 'unfinished',
			isBusy: true,
			isForeign: true,
		});
	}

	/** Stores that the service shows an upload unfinished. */
	resumed(record: UploadRecord, { time }: UploadState): void {
		if (this.lastInSlot?.status !== 'unfinished') this.lastInSlot = record;
		record.status = 'unfinished';
		record.unfinishedAt = time;
	}

	/** Stores the offset that the service reported. */
	reached(record: UploadRecord, offset: number): void {
		if (offset > record.offset) this.lastInSlot = record;
		record.offset = offset;
		if (offset < record.file.size) record.sent = undefined;
	}

	forget({ uploadId }: UploadRecord): void {
		this.records.delete(uploadId);
	}
}

/**
 * Notes that this node deleted a video, so that neither a list nor its upload keeps Skip If Exists from uploading again. Of a video that
 * was chosen by its name, an upload whose video was never identified may be the only one of the plan that it can be of.
 */
export async function noteVideoDeletion(
	context: IExecuteFunctions,
	{ hash, planId, video }: { hash: string; planId: string; video?: Video },
): Promise<void> {
	const memory = await UploadMemory.of(context);
	const isPossible = (record: UploadRecord) => record.completeAt !== undefined && mayBeInPlan(record, planId);
	const possible = video ? memory.all((record) => isPossible(record) && mayBeOf(record, video)) : [];
	const record = memory.ofVideo(hash) ?? (possible.length === 1 ? possible[0] : undefined);
	if (record) memory.forget(record);
}

/**
 * Notes what this node changed of a video, so that its upload knows the video as it is now. A video that was chosen by its name is
 * identified by its mark alone: another one of that name may be of another program.
 *
 * @param change the new name, or the UUID of the new folder
 */
export async function noteVideoChange(
	context: IExecuteFunctions,
	{ hash, video: chosen }: { hash: string; video?: Video },
	change: { name: string } | { folder: string },
): Promise<void> {
	const memory = await UploadMemory.of(context);
	const record = memory.ofVideo(hash) ?? memory.all(({ mark }) => hasMark(chosen?.name, mark))[0];
	const video = record?.video ?? chosen;
	if (!record || !video) return;
	if ('name' in change) {
		record.title = change.name;
		record.video = withName(video, change.name);
	} else record.video = { ...video, folder: { uuid: change.folder } };
}

/** Whether a video may be that of an upload: by its mark, else by name and date. `newVideo.ts` compares size and folder, too. */
export function mayBeOf(record: UploadRecord, video: Video): boolean {
	const { file, isForeign, mark } = record;
	if (record.video) return record.video.hash === video.hash;
	if (mark !== undefined) return hasMark(video.name, mark);
	const names = videoNamesOf(file.name);
	if (isForeign) names.push(...markedNamesOf(file.name, video.name));
	const isNamed = names.some((name) => isSameName(name, video.name));
	return isNamed && latestCreated(video) >= earliestDateOf(record);
}

/** Whether the video of an upload is in a plan, or its plan is not known. */
export function mayBeInPlan(record: UploadRecord, planId: string | undefined): boolean {
	return record.planId === undefined || record.planId === planId;
}

/** UUID of the folder that the video of an upload is in: the one that it was moved to, else the one that it was uploaded to. */
export function folderOf({ file, video }: UploadRecord): string | undefined {
	return (video?.folder !== 'none' && video?.folder?.uuid) || file.folder;
}

/** Locks an upload for one item, or unlocks it. */
export function setBusy(record: UploadRecord, isBusy: boolean): void {
	record.isBusy = isBusy;
	record.at = Date.now();
}

/**
 * Marks an upload whose whole file the service has.
 *
 * @param isRenamed whether Resume gives the video another title
 */
export function setComplete(record: UploadRecord, isRenamed: boolean): void {
	const { mark, status, title } = record;
	if (status !== 'done' || isRenamed)
		record.status = mark === undefined && title === '' ? 'done' : 'complete';
	record.sent = 'accepted';
	record.completeAt ??= Date.now();
}

/** Greatest difference between the clocks of a service's parts; milliseconds. */
const CLOCK_TOLERANCE_MS = 2_000;

/** Service time from which the video of an upload may be dated; milliseconds since 1970. */
export function earliestDateOf({ createdAt = 0 }: UploadRecord): number {
	return createdAt - CLOCK_TOLERANCE_MS;
}

/** Whether two files have the same name, size and folder. */
function isSameFile(one: UploadFile, other: UploadFile): boolean {
	return isSameName(one.name, other.name) && one.size === other.size && isSameUuid(one.folder, other.folder);
}
