import type { IExecuteFunctions } from 'n8n-workflow';

import { hasStatus } from '../transport/errors';
import { nodeRunOf } from '../shared/nodeRun';
import { isSameUuid } from '../service/recordFields';
import type { RangeReader } from '../sources/rangeReader';
import type { UploadIdentity } from './identity';
import type { Ledger } from './ledger';
import { claim, release, type OpenEntry, type UploadStatus } from './ledgerEntry';
import { markedName, newMark } from './videoMatch';
import type { TransferEvents } from './tus/httpStack';
import { createTusUpload, type TusTransfer } from './tus/tusUpload';
import { readOffset, UploadResponseError } from './tus/uploadRequests';
import { changesVideo, type UploadJob, type UploadState } from './uploadJob';
import type { UploadLog } from './uploadLog';

/** What an upload consists of while one item works on it. */
export interface TransferParts {
	job: UploadJob;
	state: UploadState;
	ledger: Ledger;
	identity: UploadIdentity;
	reader: RangeReader;
	log: UploadLog;
}

/**
 * The upload at the service that a file is sent to, and its entry in the ledger, which is claimed as long. What the requests
 * report goes into the entry and into the job's state.
 */
export class Transfer implements TransferEvents {
	/** Undefined until the upload is known to the service or to the ledger. */
	entry: OpenEntry | undefined;

	/** Whether this run has created the upload. */
	isOwn = false;

	/** Whether the service knows the upload and it is this file's: until then, nothing of its entry changes. */
	isTakenOn = false;

	/** The IDs of the uploads for which that was so. */
	readonly verified = new Set<string>();

	private tus: TusTransfer | undefined;

	/** The random part of the video's name, if it gets one. */
	private mark: string | undefined;

	/** What `bytesSent` was when the service last reported its offset. */
	private sentAtOffset = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly parts: TransferParts,
	) {}

	/** Continues an upload, or creates one when there is no ID. */
	choose(uploadId: string | undefined): void {
		const { job, ledger, reader, state } = this.parts;
		// What was read for another upload says nothing about this one.
		reader.restart();
		this.release();
		this.tus = undefined;
		this.entry = uploadId === undefined ? undefined : ledger.find(uploadId);
		if (this.entry) claim(this.entry);
		this.isOwn = this.isTakenOn = false;
		this.mark = uploadId === undefined && changesVideo(job) ? newMark() : this.entry?.mark;
		state.uploadId = uploadId;
		state.unknownTries = 0;
		// What is known here was known to the service before.
		state.isReachable ||= this.entry !== undefined;
	}

	/**
	 * Sends the file from the service's offset on.
	 *
	 * @throws what the HTTP stack or the source threw
	 */
	async run(): Promise<void> {
		const { job, reader, state } = this.parts;
		const { idleTimeoutMs, maxRequestBytes } = job;
		const createdFor = this.entry?.file.folder;
		// PATCH states the folder, too: that of Resume, else the one that the upload was created for.
		const { folder = createdFor, size } = job.file;
		const file = { name: this.fileName, size, folder };
		const settings = { context: this.context, idleTimeoutMs, maxRequestBytes, file, events: this };
		this.tus ??= await createTusUpload(reader, settings, state.uploadId);
		await this.tus().catch((error: unknown) => {
			// A gateway does not know what the service has; any other error is the service's own response to the bytes.
			const isResponse = error instanceof UploadResponseError && error.method === 'PATCH';
			if (isResponse && !/^50[24]$/.test(error.error.httpCode ?? '')) this.noteSent(undefined);
			// The folder that PATCH stated does not exist.
			if (isResponse && this.entry && hasStatus(error.error, /^404$/)) this.entry.resumedInto = undefined;
			throw error;
		});
	}

	/** Leaves the upload to others. */
	leave(status: 'unfinished' | 'lost', isCorrupt = false): void {
		const isChanged = this.entry && (this.isTakenOn || status === 'lost');
		if (isChanged) this.end(status, { isCorrupt });
		this.release();
	}

	/** @returns the entry, which stays claimed: its video may have to be found and changed */
	complete(): OpenEntry {
		const status = this.mark === undefined ? 'done' : 'complete';
		return this.end(status, { sent: 'accepted', ...this.wishes() });
	}

	/** The service may have stored more than its last response reported. */
	async refreshOffset(): Promise<void> {
		const { job, state } = this.parts;
		if (state.uploadId === undefined || state.bytesSent === this.sentAtOffset) return;
		const offset = await readOffset(this.context, state.uploadId, job.idleTimeoutMs);
		state.offset = offset ?? state.offset;
	}

	created(uploadId: string, createdAt: number | undefined): void {
		const { job, log, state } = this.parts;
		state.uploadId = uploadId;
		this.isOwn = true;
		this.takeOn(uploadId, { file: job.file, createdAt, mark: this.mark });
		log.startAt(0);
		const name = this.mark === undefined ? '' : `, and its video appears as "${this.fileName}"`;
		log.write(`was created: after a restart of n8n, Upload → Resume with this ID completes it${name}`);
	}

	async beforeResume(uploadId: string, offset: number, serviceTime: number | undefined): Promise<void> {
		const { identity, job, log, state } = this.parts;
		const { file } = job;
		this.acknowledged(offset);
		await identity.check(uploadId, offset);
		if (file.folder !== undefined && this.entry && !isSameUuid(file.folder, this.entry.file.folder))
			this.entry.resumedInto = file.folder;
		if (offset + state.bytesSent > 0) state.resumes++;
		const unfinishedAt = offset < file.size ? serviceTime : undefined;
		this.takeOn(uploadId, this.entry ? {} : { file, unfinishedAt });
		log.startAt(offset);
		if (offset > 0 && offset < file.size) log.write(`resumes at ${offset} of ${file.size} bytes`);
	}

	acknowledged(offset: number): void {
		const { job, state } = this.parts;
		state.offset = offset;
		state.unknownTries = 0;
		this.sentAtOffset = state.bytesSent;
		if (offset < job.file.size) this.noteSent(undefined);
	}

	sent(bytes: number, offset: number): void {
		const { job, log, state } = this.parts;
		state.bytesSent += bytes;
		if (offset === job.file.size) this.noteSent('all');
		log.progress(offset);
	}

	lastByteAccepted(): void {
		this.noteSent('accepted');
	}

	/** The name under which the file is uploaded. */
	private get fileName(): string {
		const { name } = this.parts.job.file;
		return this.mark === undefined ? name : markedName(name, this.mark);
	}

	private noteSent(sent: OpenEntry['sent']): void {
		if (this.entry) this.entry.sent = sent;
	}

	private takeOn(uploadId: string, change: Partial<OpenEntry>): void {
		const { ledger, state } = this.parts;
		const status = 'sending';
		const entry = ledger.record(this.context, uploadId, {
			run: new WeakRef(nodeRunOf(this.context)),
			...this.wishes(),
			...change,
			status,
		});
		if (!this.entry) claim(entry);
		this.entry = entry;
		this.isTakenOn = state.isReachable = true;
		this.verified.add(uploadId);
		state.isCreateLost = false;
		// The old upload is remembered until the new one replaces it.
		if (state.lost) ledger.record(this.context, state.lost.uploadId, { status: 'lost' });
	}

	/** What the video is to become. An upload that the user named keeps what it was created for. */
	private wishes(): Partial<OpenEntry> {
		const { planId, thumbnail, title, uploadId } = this.parts.job;
		if (this.entry && uploadId !== undefined) return {};
		return { hasThumbnail: thumbnail !== undefined, planId, title };
	}

	private end(status: UploadStatus, change: Partial<OpenEntry>): OpenEntry {
		const { identity, ledger, state } = this.parts;
		const checksums = identity.checksums();
		const uploadId = this.entry?.uploadId ?? state.uploadId ?? '';
		return ledger.record(this.context, uploadId, { ...change, ...(checksums && { checksums }), status });
	}

	private release(): void {
		if (this.entry) release(this.entry);
		this.entry = undefined;
	}
}
