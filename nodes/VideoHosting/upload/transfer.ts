import type { IExecuteFunctions } from 'n8n-workflow';

import { isSameUuid } from '../service/recordFields';
import { withIdleTimeout } from '../sources/idleTimeout';
import type { RangeReader } from '../sources/rangeReader';
import { cancelSignal, requestOnce } from '../transport/request';
import type { UploadIdentity } from './identity';
import type { Ledger } from './ledger';
import { claim, release, type OpenEntry, type UploadStatus } from './ledgerEntry';
import { markedName, newMark } from './names';
import type { TransferEvents } from './tus/httpStack';
import { createTusUpload, type TusTransfer } from './tus/tusUpload';
import { stateRequest, uploadOffsetOf, UploadResponseError } from './tus/uploadRequests';
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

	/** Whether the service is known to be reachable at this address. */
	isReachable: boolean;

	/** Whether all bytes of the file were handed to the connection. */
	isAllSent = false;

	/** Whether the service accepted a PATCH with the last byte, and has not reported a lower offset since. */
	isLastByteAccepted = false;

	/** Times in a row that the service reported the upload as unknown. */
	unknownTries = 0;

	private tus: TusTransfer | undefined;

	/** Whether the service knows the upload and it is this file's: until then, nothing of its entry changes. */
	isTakenOn = false;

	/** The random part of the video's name, if it gets one. */
	private mark: string | undefined;

	private createdAt: number | undefined;

	private unfinishedAt: number | undefined;

	/** What `bytesSent` was when the service last reported its offset. */
	private sentAtOffset = 0;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly parts: TransferParts,
	) {
		const { job, ledger } = parts;
		// What is known here was known to the service before.
		this.isReachable = job.uploadId !== undefined && ledger.find(job.uploadId) !== undefined;
	}

	/** Continues an upload, or creates one when there is no ID. */
	choose(uploadId: string | undefined): void {
		const { job, ledger, log, reader, state } = this.parts;
		// What was read for another upload says nothing about this one.
		reader.restart();
		this.release();
		this.tus = undefined;
		this.entry = uploadId === undefined ? undefined : ledger.find(uploadId);
		if (this.entry) claim(this.entry);
		this.isOwn = this.isTakenOn = false;
		this.mark = uploadId === undefined && changesVideo(job) ? newMark() : this.entry?.mark;
		this.createdAt = this.entry?.createdAt;
		this.unfinishedAt = undefined;
		this.unknownTries = 0;
		this.isReachable ||= this.entry !== undefined;
		this.isLastByteAccepted = this.entry?.sent === 'accepted';
		this.isAllSent = this.entry?.sent !== undefined;
		state.uploadId = uploadId;
		log.setUploadId(uploadId);
	}

	/**
	 * Sends the file from the service's offset on.
	 *
	 * @throws what the HTTP stack or the source threw
	 */
	async run(): Promise<void> {
		const { job, reader, state } = this.parts;
		const { idleTimeoutMs, itemIndex, maxRequestBytes } = job;
		const createdFor = this.entry?.file.folder;
		// PATCH states the folder, too: that of Resume, else the one that the upload was created for.
		const { folder = createdFor, size } = job.file;
		const file = { fileName: this.fileName, size, folder };
		const settings = { context: this.context, itemIndex, idleTimeoutMs, maxRequestBytes, file, events: this };
		this.tus ??= await createTusUpload(reader, settings, state.uploadId);
		await this.tus.run().catch((error: unknown) => {
			// A gateway does not know what the service has; any other error is the service's own response to the bytes.
			const isResponse = error instanceof UploadResponseError && error.method === 'PATCH';
			if (isResponse && !/^50[24]$/.test(error.error.httpCode ?? '')) this.isAllSent = false;
			throw error;
		});
	}

	/** Leaves the upload to others. */
	leave(status: 'unfinished' | 'lost', isCorrupt = false, triedAgainUntil?: number): void {
		const checksums = this.parts.identity.checksums();
		const sent = this.isLastByteAccepted ? 'accepted' : this.isAllSent ? 'all' : this.entry?.sent;
		const isChanged = this.isTakenOn || status === 'lost';
		if (this.entry && isChanged)
			this.record(this.entry.uploadId, status, {
				isCorrupt,
				sent,
				triedAgainUntil,
				...(checksums && { checksums }),
			});
		this.release();
	}

	/** @returns the entry, which stays claimed: its video may have to be found and changed */
	complete(): OpenEntry {
		const { identity, state } = this.parts;
		const checksums = identity.checksums();
		const status = this.mark === undefined ? 'done' : 'complete';
		return this.record(state.uploadId ?? '', status, { sent: 'accepted', ...(checksums && { checksums }) });
	}

	/** The service may have stored more than its last response reported. */
	async refreshOffset(): Promise<void> {
		const { job, state } = this.parts;
		if (state.uploadId === undefined || state.bytesSent === this.sentAtOffset) return;
		const request = { ...stateRequest(state.uploadId, job.itemIndex), timeout: job.idleTimeoutMs };
		const response = await requestOnce(this.context, request).catch(() => undefined);
		state.offset = (response && uploadOffsetOf(response)) ?? state.offset;
	}

	async beforeCreate(): Promise<void> {
		const { job, reader } = this.parts;
		const limits = { idleTimeoutMs: job.idleTimeoutMs, cancelled: cancelSignal(this.context) };
		await withIdleTimeout(reader, limits, async (onRead) => {
			await reader.openStart(onRead);
		});
	}

	created(serviceTime: number | undefined): void {
		this.isOwn = true;
		this.createdAt = serviceTime;
		this.parts.log.startAt(0);
		this.parts.ledger.recordCreation();
	}

	known(uploadId: string): void {
		const { ledger, log, state } = this.parts;
		const isNew = state.uploadId === undefined;
		if (!isNew && state.offset + state.bytesSent > 0) state.resumes++;
		state.uploadId = uploadId;
		state.isCreateLost = false;
		this.isTakenOn = this.isReachable = true;
		this.record(uploadId, 'sending', { run: undefined });
		log.setUploadId(uploadId);
		if (isNew) {
			const name = this.mark === undefined ? '' : `, and its video appears as "${this.fileName}"`;
			log.write(`was created: after a restart of n8n, Upload → Resume with this ID completes it${name}`);
		}
		// The old upload is remembered until the new one replaces it.
		if (state.lost) ledger.record(this.context, state.lost.uploadId, { status: 'lost' });
	}

	async beforeResume(uploadId: string, offset: number, serviceTime: number | undefined): Promise<void> {
		const { identity, job, log } = this.parts;
		const { size } = job.file;
		if (offset < size) this.unfinishedAt ??= serviceTime;
		await identity.check(uploadId, offset);
		const { folder } = job.file;
		if (folder !== undefined && this.entry && !isSameUuid(folder, this.entry.file.folder))
			this.entry.resumedInto = folder;
		log.startAt(offset);
		if (offset > 0 && offset < size) log.write(`resumes at ${offset} of ${size} bytes`);
	}

	acknowledged(offset: number): void {
		const { job, state } = this.parts;
		state.offset = offset;
		this.sentAtOffset = state.bytesSent;
		this.unknownTries = 0;
		if (offset >= job.file.size) return;
		this.isAllSent = this.isLastByteAccepted = false;
		if (this.entry) this.entry.sent = undefined;
	}

	sent(bytes: number, isLastByte: boolean): void {
		this.parts.state.bytesSent += bytes;
		this.isAllSent ||= isLastByte;
	}

	lastByteAccepted(): void {
		this.isLastByteAccepted = true;
	}

	progress(offset: number): void {
		this.parts.log.progress(offset);
	}

	/** The name under which the file is uploaded. */
	private get fileName(): string {
		const { name } = this.parts.job.file;
		return this.mark === undefined ? name : markedName(name, this.mark);
	}

	private record(uploadId: string, status: UploadStatus, change: Partial<OpenEntry>): OpenEntry {
		const { createdAt, isOwn, mark, unfinishedAt } = this;
		const { job, ledger } = this.parts;
		const { file, hasThumbnail, planId, title } = job;
		const isNew = ledger.find(uploadId) === undefined;
		const isLeft = status === 'unfinished' || status === 'lost';
		const entry = ledger.record(this.context, uploadId, {
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
