import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import type { Video } from '../service/video';
import { ageOf, Lock } from '../shared/waiting';
import type { ContentDigest } from '../sources/contentDigest';
import { applicationOf } from '../transport/credential';
import type { UploadFile } from './tus/uploadRequests';
import { hasMark } from './videoNames';

/**
 * The states of an upload, and who changes them:
 *
 * | state        | in this memory                                | changed by                                                      |
 * | ------------ | --------------------------------------------- | --------------------------------------------------------------- |
 * | not sent     | `PendingUpload` with offset 0                 | upload.ts and createUpload.ts, with POST                        |
 * | partly sent  | `PendingUpload`                               | transfer.ts sends ranges and reads the offset                   |
 * | sent         | `PendingUpload` with `isSent`                 | transfer.ts: the last byte left, without a response             |
 * | acknowledged | `UploadedVideo`                               | upload.ts, when the service has all bytes, or has dropped the upload |
 * | done         | `UploadedVideo` with `isDone`                 | upload.ts where nothing is left to do, else finishVideo.ts      |
 *
 * An upload that the service does not know, and that is not `sent`, is forgotten. A pending upload is in the map only while nobody
 * works on it: whoever does takes it out, holding the lock, and puts it back before leaving the lock.
 */
export interface PendingUpload {
	readonly uploadId: string;
	/** The name has no mark. */
	readonly file: UploadFile;
	/** Title for the video; '' for none. */
	title: string;
	planId?: string;
	/** Random part of the video's first name; undefined when the video is named like the file. */
	readonly mark?: string;
	/** Undefined until it is read. */
	before?: Before;
	/** Whether the name of its video is not known, as this process did not create it. */
	readonly isForeign?: boolean;
	/** Digest of the bytes that were sent. */
	content?: ContentDigest;
	/** As the service reported it last; bytes. */
	offset: number;
	/** Whether all bytes were sent, and the service has not said what it has since. */
	isSent: boolean;
	/** When it was put into the memory last; milliseconds since 1970. */
	at: number;
}

/** An upload whose bytes are all at the service. `at`: when the last one was acknowledged, or the video was seen last. */
export interface UploadedVideo extends Omit<PendingUpload, 'isSent' | 'offset'> {
	/** UUID of the folder that the video is in. */
	folder?: string;
	/** Hash of the video; undefined until it is found. */
	hash?: string;
	/** The look-up that runs: until it ends, the video belongs to the item that has started it. */
	lookup?: Promise<LookupResult | undefined>;
	/** Whether nothing is left to do: the title and thumbnail are set, or there are none. */
	isDone: boolean;
}

/** The new video, or as a clause why it was not found. */
export type LookupResult = { video: Video } | { video?: undefined; reason: string };

/** The identities of the videos that were listed before the video of an upload could be, or as a clause why they are not known. */
export type Before = ReadonlySet<string> | string;

/** How long an uploaded video counts as listed, and how long a missing one is looked for; milliseconds. */
export const REMEMBERED_MS = 10 * 60 * 1000;

/** Of each kind and application; the oldest ones go. */
const MOST_RECORDS = 1_000;

/** Keyed by base URL and application ID. Tests clear the map as a restart of n8n does. */
export const memories = new Map<string, UploadMemory>();

/** The uploads of one application in this process, until n8n restarts. */
export class UploadMemory {
	/** Held by the one upload that is sent or created. */
	readonly lock = new Lock();

	/** Settled when the service may be asked for a new upload again; undefined while it may be. */
	postPause: Promise<void> | undefined;

	/** When the lock was left last, and since when it is used without a gap; milliseconds of a monotonic clock. */
	readonly use = { leftAt: -Infinity, since: 0 };

	/** ID of the upload that this process created last, if Upload did. */
	lastCreated: string | undefined;

	/** In the order in which they were put back. */
	private readonly pending = new Map<string, PendingUpload>();

	/** In the order in which they were acknowledged. */
	private readonly all = new Map<string, UploadedVideo>();

	static async of(context: IExecuteFunctions): Promise<UploadMemory> {
		const application = await applicationOf(context);
		const memory = memories.get(application) ?? new UploadMemory();
		memories.set(application, memory);
		return memory;
	}

	/** Lets no new upload be requested until a pause is over, also one that is cancelled. */
	pausePosts(pausing: Promise<void>): void {
		// The program that has the slot gets its turn.
		this.use.leftAt = -Infinity;
		this.postPause = pausing
			.catch(() => {})
			.finally(() => {
				this.postPause = undefined;
			});
	}

	/** A pending upload that nobody works on. */
	find(uploadId: string | undefined): PendingUpload | undefined {
		return uploadId === undefined ? undefined : this.pending.get(uploadId);
	}

	/** The plan of an upload, if it is known. */
	planOf(uploadId = ''): string | undefined {
		return (this.pending.get(uploadId) ?? this.all.get(uploadId))?.planId;
	}

	/** The pending upload of a file that was put back last. */
	findPending(file: UploadFile, needsMark: boolean): PendingUpload | undefined {
		return [...this.pending.values()].findLast(
			(each) => isSameFile(each.file, file) && (each.mark !== undefined || !needsMark),
		);
	}

	take({ uploadId }: PendingUpload): void {
		this.pending.delete(uploadId);
	}

	put(pending: PendingUpload): void {
		this.pending.set(pending.uploadId, { ...pending, at: Date.now() });
		dropOldest(this.pending);
	}

	/** Stores that the service has all bytes of an upload that was taken out. */
	acknowledge(pending: PendingUpload): UploadedVideo {
		const { file, mark, title, uploadId } = pending;
		const isDone = mark === undefined && title === '';
		const uploaded = { ...pending, folder: file.folder, at: Date.now(), isDone };
		this.all.set(uploadId, uploaded);
		dropOldest(this.all);
		return uploaded;
	}

	/** The latest last. One that is done is forgotten after {@link REMEMBERED_MS}. */
	get uploaded(): UploadedVideo[] {
		for (const { at, isDone, lookup, uploadId } of this.all.values())
			if (isDone && !lookup && ageOf(at) >= REMEMBERED_MS) this.all.delete(uploadId);
		return [...this.all.values()];
	}

	/** The uploaded videos of a file that are to be finished, and that no item finishes; the latest first. */
	unfinishedOf(file: UploadFile): UploadedVideo[] {
		return this.uploaded
			.filter((each) => !each.isDone && !each.lookup && isSameFile(each.file, file))
			.reverse();
	}

	forget({ uploadId }: UploadedVideo): void {
		this.all.delete(uploadId);
	}

	/** Uploads whose video may be listed and is not identified. One that is missing for {@link REMEMBERED_MS} counts as deleted. */
	get unidentified(): Array<PendingUpload | UploadedVideo> {
		const sent = [...this.pending.values()].filter(({ isSent }) => isSent);
		const missing = this.uploaded.filter(({ hash }) => hash === undefined);
		return [...sent, ...missing].filter(({ at }) => ageOf(at) < REMEMBERED_MS);
	}

	/** The uploaded video that a listed one is: by its hash, else by its mark. */
	ofVideo({ hash, name }: Pick<Video, 'hash' | 'name'>): UploadedVideo | undefined {
		return this.uploaded.find((each) =>
			each.hash === undefined ? hasMark(name, each.mark) : each.hash === hash,
		);
	}
}

/** Whether the video of an upload is in a plan, or its plan is not known. */
export function mayBeInPlan(upload: Pick<UploadedVideo, 'planId'>, planId: string | undefined): boolean {
	return upload.planId === undefined || upload.planId === planId;
}

/** Whether two files have the same name, size and folder. */
function isSameFile(one: UploadFile, other: UploadFile): boolean {
	return isSameName(one.name, other.name) && one.size === other.size && isSameUuid(one.folder, other.folder);
}

function dropOldest(records: Map<string, unknown>): void {
	for (const uploadId of records.keys()) {
		if (records.size <= MOST_RECORDS) return;
		records.delete(uploadId);
	}
}
