import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameName, isSameUuid } from '../service/record';
import type { Video } from '../service/video';
import { ageOf, Lock } from '../shared/waiting';
import type { ContentDigest } from '../sources/contentDigest';
import { applicationOf } from '../transport/credential';
import type { UploadJob, UploadProgress } from './job';
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
	before: Before;
	/** Whether the name of its video is not known, as this process did not create it: Resume after a restart. */
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
	/** The look-up that runs. Until it ends, the video belongs to the item that has started it: the same file again is another upload. */
	lookup?: Promise<LookupResult | undefined>;
	/** Whether nothing is left to do: the title and thumbnail are set, or there are none. */
	isDone: boolean;
}

/** The new video, or as a clause why it was not found. `sentName`: the new name of the video, when no response has shown it. */
export type LookupResult =
	{ video: Video; sentName?: string } | { video?: undefined; sentName?: undefined; reason: string };

/** What became of a file. */
export interface UploadResult {
	/** Whether nothing was sent, as its video exists. */
	isSkipped: boolean;
	/** The upload of the file, or the one that it was skipped for, if this process knows it. */
	uploaded?: UploadedVideo;
	/** The video, with title and thumbnail; undefined when it is not looked up. Rejected when it is not found, and must be. */
	found: Promise<LookupResult | undefined>;
}

/**
 * The identities of the videos that were listed before the video of an upload could be, or why they are not known, as a clause. Example:
 * last year's keynote.mp4, which is not the one that was uploaded. `readBy` tells which item, in which run, has read them.
 */
export type Before = { known: ReadonlySet<string>; readBy: UploadProgress } | { unknownBecause: string };

const NOT_READ: Before = { unknownBecause: 'the videos before the upload were not read' };

/** An upload of which nothing is known but this. */
export function newPending<Given extends Partial<PendingUpload> & Pick<PendingUpload, 'file'>>(given: Given) {
	return { title: '', before: NOT_READ, offset: 0, isSent: false, at: 0, ...given };
}

/** What this node has done to a video: its new name, or the UUID of its new folder. */
export type VideoChange = 'deleted' | { title: string } | { folder: string };

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

	/** Delays all new uploads until a pause has ended, also by a cancellation. */
	pausePosts(pausing: Promise<void>): void {
		// Another program has its turn already, so that none is due after the pause.
		this.use.leftAt = -Infinity;
		const end = () => (this.postPause = undefined);
		this.postPause = pausing.then(end, end);
	}

	/** A pending upload that nobody works on. */
	find(uploadId: string | undefined): PendingUpload | undefined {
		return uploadId === undefined ? undefined : this.pending.get(uploadId);
	}

	/** The plan of an upload, if it is known. */
	planOf(uploadId = ''): string | undefined {
		return (this.pending.get(uploadId) ?? this.findUploaded(uploadId))?.planId;
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

	/** The latest last, without those that are done for {@link REMEMBERED_MS}. */
	get uploaded(): UploadedVideo[] {
		return [...this.all.values()].filter(
			({ at, isDone, lookup }) => !isDone || lookup !== undefined || ageOf(at) < REMEMBERED_MS,
		);
	}

	findUploaded(uploadId: string): UploadedVideo | undefined {
		return this.uploaded.find((each) => each.uploadId === uploadId);
	}

	/** The uploaded videos of a file that are to be finished, and that no item finishes; the latest first. */
	unfinishedOf(file: UploadFile): UploadedVideo[] {
		return this.uploaded
			.filter((each) => !each.isDone && !each.lookup && isSameFile(each.file, file))
			.reverse();
	}

	/** Its video was listed. */
	identify(uploaded: UploadedVideo, hash: string | undefined): void {
		uploaded.hash = hash;
		uploaded.at = Date.now();
	}

	/** Title and thumbnail are set. */
	finish(uploaded: UploadedVideo): void {
		uploaded.isDone = true;
		uploaded.at = Date.now();
	}

	forget({ uploadId }: UploadedVideo): void {
		this.all.delete(uploadId);
	}

	/** @param chosen its hash; `video` where it was chosen by its name, which may be its first one */
	noteChange({ hash, video }: { hash: string; video?: Video }, change: VideoChange): void {
		const uploaded = this.ofVideo({ ...video, hash });
		if (uploaded && change === 'deleted') this.forget(uploaded);
		else if (uploaded) Object.assign(uploaded, change, { hash });
	}

	/**
	 * Uploads whose video may be listed and is not identified. Example: the service takes 40 s to list keynote.mp4, and its look-up ends
	 * after 30. After {@link REMEMBERED_MS} somebody has deleted it.
	 */
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

/** Stores what the video is to become. A job without a plan keeps the known plan, and Resume without a title the title. */
export function setWishes(
	upload: PendingUpload | UploadedVideo,
	{ planId, title, uploadId }: UploadJob,
): void {
	// A video that was found in another plan is another video.
	if (planId !== undefined && planId !== upload.planId)
		Object.assign(upload, { planId, before: NOT_READ, hash: undefined });
	if (uploadId === undefined || title !== '') upload.title = title;
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
