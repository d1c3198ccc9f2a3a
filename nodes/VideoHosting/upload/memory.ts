import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import type { Video } from '../service/video';
import type { ContentDigest } from '../sources/contentDigest';
import { serviceCredential } from '../transport/credential';
import type { UploadFile } from './tus/uploadRequests';

export type UploadStatus =
	/** Created by Upload → Create, and not sent yet. */
	| 'reserved'
	| 'unfinished'
	/** The service has all bytes; the video lacks its title or thumbnail. */
	| 'complete'
	| 'done'
	/** Complete, and its video was deleted by this node. */
	| 'deleted'
	/** All bytes were sent, and the service does not know the upload. */
	| 'lost';

/** What this process knows of one upload. */
export interface UploadRecord {
	readonly uploadId: string;
	status: UploadStatus;
	/** When somebody last worked on it, in milliseconds since 1970. */
	at: number;
	/** Whether an item works on it, or waits to. */
	isBusy: boolean;
	/** As the user knows it: the name has no mark. */
	readonly file: UploadFile;
	/** Bytes that the service had at last, as far as this process knows. */
	offset: number;
	/** When this process began with it, in milliseconds since 1970. */
	readonly startedAt: number;
	/** When it was still unfinished, by the service's clock; milliseconds since 1970. */
	readonly createdAt?: number;
	/** The random part of its video's first name; undefined when the video is called like the file. */
	readonly mark?: string;
	/** Whether this process did not create it, so that a mark is not known here. */
	readonly isForeign?: boolean;
	/** The title that the video is to have; '' for none. */
	title: string;
	/** Whether the video is still to get a thumbnail. */
	lacksThumbnail?: boolean;
	planId?: string;
	/** What is known of the bytes that were sent. */
	content?: ContentDigest;
	/** Whether the whole file was sent, and whether the service has even accepted its last byte. */
	sent?: 'all' | 'accepted';
	/** When this process first knew that the service has the whole file, in milliseconds since 1970. */
	completeAt?: number;
	/** The video, once it was identified. */
	video?: Video;
}

/** By base URL and application ID. Tests clear it as a restart of n8n does. */
export const memories = new Map<string, UploadMemory>();

/** Most uploads of one application that are remembered; the oldest go first. */
const MOST_RECORDS = 1_000;

/**
 * All that this process knows of the uploads of one application. It answers three questions: is the file uploaded already, is an
 * upload of it unfinished, and which unfinished upload may hold the slot. A restart of n8n empties it.
 */
export class UploadMemory {
	private readonly records = new Map<string, UploadRecord>();

	/** The upload that got the slot last, among those of this process: it was created, or the service accepted bytes of it. */
	lastInSlot: UploadRecord | undefined;

	static async of(context: IExecuteFunctions): Promise<UploadMemory> {
		const { baseUrl, applicationId } = await serviceCredential(context);
		const application = JSON.stringify([baseUrl, applicationId]);
		const memory = memories.get(application) ?? new UploadMemory();
		memories.set(application, memory);
		return memory;
	}

	find(uploadId: string | undefined): UploadRecord | undefined {
		return uploadId === undefined ? undefined : this.records.get(uploadId);
	}

	/** The upload whose video was identified and has this hash. */
	ofVideo(hash: string | undefined): UploadRecord | undefined {
		return this.latest(({ video }) => video !== undefined && video.hash === hash);
	}

	/** The record that was worked on last of those for which `matches` returns true. */
	latest(matches: (record: UploadRecord) => boolean): UploadRecord | undefined {
		return this.all(matches).sort((one, other) => other.at - one.at)[0];
	}

	all(matches: (record: UploadRecord) => boolean): UploadRecord[] {
		return [...this.records.values()].filter(matches);
	}

	/** The latest upload of a file with this status that nobody works on; one with a mark, if that is needed. */
	idleOf(file: UploadFile, status: UploadStatus, needsMark: boolean): UploadRecord | undefined {
		return this.latest(
			(record) =>
				record.status === status &&
				!record.isBusy &&
				(record.mark !== undefined || !needsMark) &&
				isSameFile(record.file, file),
		);
	}

	add(
		fields: Pick<UploadRecord, 'uploadId' | 'status' | 'isBusy' | 'file'> & Partial<UploadRecord>,
	): UploadRecord {
		const now = Date.now();
		const record = { title: '', offset: 0, ...fields, at: now, startedAt: now };
		this.records.set(record.uploadId, record);
		for (const { uploadId, isBusy } of this.records.values())
			if (this.records.size > MOST_RECORDS && !isBusy) this.records.delete(uploadId);
		return record;
	}

	/** The service has so many bytes of an upload. */
	reached(record: UploadRecord, offset: number): void {
		if (offset > record.offset) this.lastInSlot = record;
		record.offset = offset;
		if (offset < record.file.size) record.sent = undefined;
	}

	forget({ uploadId }: UploadRecord): void {
		this.records.delete(uploadId);
	}
}

/** An item begins to work on an upload, or leaves it to others. */
export function setBusy(record: UploadRecord, isBusy: boolean): void {
	record.isBusy = isBusy;
	record.at = Date.now();
}

/**
 * The service has the whole file of an upload.
 *
 * @param isRenamed whether Resume gives the video another title
 */
export function setComplete(record: UploadRecord, isRenamed: boolean): void {
	const { mark, status, title } = record;
	if (status !== 'deleted' && (status !== 'done' || isRenamed))
		record.status = mark === undefined && title === '' ? 'done' : 'complete';
	record.sent = 'accepted';
	record.completeAt ??= Date.now();
}

/** Whether two files have the same name, size and folder. */
export function isSameFile(one: UploadFile, other: UploadFile): boolean {
	return isSameName(one.name, other.name) && one.size === other.size && isSameUuid(one.folder, other.folder);
}
