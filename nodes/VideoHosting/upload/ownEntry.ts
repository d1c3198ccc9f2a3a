import type { IExecuteFunctions } from 'n8n-workflow';

import type { ContentChecksum } from '../sources/contentChecksum';
import type { Ledger } from './ledger';
import { claim, release, type OpenEntry, type UploadStatus } from './ledgerEntry';
import { markedName, newMark } from './names';
import { changesVideo, type UploadJob } from './uploadJob';

/** The entry in the ledger of the upload that one item works on, which is claimed as long. */
export class OwnEntry {
	/** Undefined until the upload is known to the service or to the ledger. */
	entry: OpenEntry | undefined;

	/** Whether this run has created the upload. */
	isOwn = false;

	/** Whether the service knows the upload and it is this file's: until then, nothing of its entry changes. */
	private isTakenOn = false;

	/** The random part of the video's name, if it gets one. */
	private mark: string | undefined;

	private createdAt: number | undefined;

	private unfinishedAt: number | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		private readonly ledger: Ledger,
	) {}

	/** The name under which the file is uploaded. */
	get fileName(): string {
		const { name } = this.job.file;
		return this.mark === undefined ? name : markedName(name, this.mark);
	}

	/** The folder that the upload was created with, as far as that is known. */
	get folder(): string | undefined {
		return (this.entry ?? this.job).file.folder;
	}

	/** Continues an upload, or creates one when there is no ID. */
	choose(uploadId: string | undefined): void {
		const { job, ledger } = this;
		this.release();
		this.entry = uploadId === undefined ? undefined : ledger.find(uploadId);
		if (this.entry) claim(this.entry);
		this.isOwn = this.isTakenOn = false;
		this.mark = this.entry?.mark;
		if (uploadId === undefined && changesVideo(job)) this.mark = newMark();
		this.createdAt = this.entry?.createdAt;
		this.unfinishedAt = undefined;
	}

	/** @param serviceTime as of {@link created} */
	foundUnfinished(serviceTime: number | undefined): void {
		this.unfinishedAt ??= serviceTime;
	}

	/** @param serviceTime by the service's clock, in milliseconds since 1970 */
	created(serviceTime: number | undefined): void {
		this.isOwn = true;
		this.createdAt = serviceTime;
		this.ledger.recordCreation();
	}

	/** The service has created the upload, or reports that it knows it. */
	known(uploadId: string): void {
		this.isTakenOn = true;
		this.record(uploadId, 'sending', { run: undefined });
	}

	/** @param change `checksums` of the bytes that were sent; undefined when nothing new is known of them */
	leave(
		status: 'unfinished' | 'lost',
		{ checksums, isCorrupt, sent }: Pick<OpenEntry, 'isCorrupt' | 'sent'> & { checksums?: ContentChecksum[] },
	): void {
		const change = { isCorrupt, sent, ...(checksums && { checksums }) };
		const isChanged = this.isTakenOn || status === 'lost';
		if (this.entry && isChanged) this.record(this.entry.uploadId, status, change);
		this.release();
	}

	/** @returns the entry, which stays claimed: its video may have to be found and changed */
	complete(uploadId: string, checksums: ContentChecksum[] | undefined): OpenEntry {
		const status = this.mark === undefined ? 'done' : 'complete';
		return this.record(uploadId, status, { sent: 'accepted', ...(checksums && { checksums }) });
	}

	private record(uploadId: string, status: UploadStatus, change: Partial<OpenEntry>): OpenEntry {
		const { context, createdAt, isOwn, job, ledger, mark, unfinishedAt } = this;
		const { file, hasThumbnail, planId, title } = job;
		const isNew = ledger.find(uploadId) === undefined;
		const isLeft = status === 'unfinished' || status === 'lost';
		const entry = ledger.record(context, uploadId, {
			...(isOwn ? { createdAt, mark } : {}),
			...(isOwn || isNew ? { file } : {}),
			...(isNew && !isOwn ? { unfinishedAt } : {}),
			// An upload that the user named, or that is left because it is another file's, keeps the title that it was created for.
			...(isNew || (job.uploadId === undefined && !isLeft) ? { hasThumbnail, planId, title } : {}),
			...change,
			status,
		});
		if (!this.entry) claim(entry);
		this.entry = entry;
		return entry;
	}

	private release(): void {
		if (this.entry) release(this.entry);
		this.entry = undefined;
	}
}
