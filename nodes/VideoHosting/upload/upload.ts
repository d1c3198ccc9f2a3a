import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { formatBytes } from '../shared/formatBytes';
import { withIdleTimeout } from '../sources/idleTimeout';
import { RangeReader } from '../sources/rangeReader';
import { ContentMismatchError, WrongSizeError } from '../sources/transferErrors';
import { cancelSignal, requestOnce } from '../transport/request';
import { UploadIdentity } from './identity';
import { Ledger } from './ledger';
import { claim, type OpenEntry } from './ledgerEntry';
import { OwnEntry } from './ownEntry';
import { UploadRecovery } from './recovery';
import { UploadSlot } from './slot';
import { createTusUpload, type TransferEvents, type TusTransfer } from './tus/tusUpload';
import {
	fileMismatchError,
	otherSizeReason,
	stateRequest,
	uploadOffsetOf,
	type UploadFile,
} from './tus/uploadRequests';
import { interruptedError } from './uploadErrors';
import { newState, type ExistingVideo, type UploadJob, type UploadState } from './uploadJob';
import { UploadLog } from './uploadLog';

/** What an upload has come to. */
export type UploadResult =
	/** The service has the whole file. `entry` is claimed until {@link release} is called for it. */
	| { kind: 'complete'; state: UploadState; entry: OpenEntry }
	/** The file need not be sent. */
	| { kind: 'exists'; state: UploadState; existing: Exclude<ExistingVideo, { busy: unknown }> };

/**
 * Uploads a file, unless it need not be: another item or execution may have uploaded it meanwhile. After an interruption it
 * requests the service's offset and resumes there, so no acknowledged byte is sent twice.
 *
 * @throws UploadInterruptedError with the reason and how far it got
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadResult> {
	const upload = new Upload(context, job, await Ledger.of(context));
	try {
		return await upload.run();
	} catch (error) {
		upload.leave(error);
		throw interruptedError(context, error, upload.state);
	}
}

/** One upload from the question whether it is needed to its last byte: the one place that holds its state. */
class Upload implements TransferEvents {
	readonly state: UploadState;

	/** Whether all bytes of the file were handed to the connection, and what `bytesSent` was when the service last reported. */
	private isAllSent = false;

	private sentAtOffset = 0;

	private hasStartedOver = false;

	private readonly signal: AbortSignal | undefined;

	private readonly reader: RangeReader;

	private readonly slot: UploadSlot;

	private readonly identity: UploadIdentity;

	private readonly own: OwnEntry;

	private readonly log: UploadLog;

	private readonly recovery: UploadRecovery;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		private readonly ledger: Ledger,
	) {
		const { file, source, uploadId } = job;
		this.signal = cancelSignal(context);
		this.reader = new RangeReader(source);
		this.identity = new UploadIdentity(context, job, this.reader, ledger);
		this.own = new OwnEntry(context, job, ledger);
		this.slot = new UploadSlot(context, ledger, job);
		this.log = new UploadLog(context, { fileName: file.name, size: file.size });
		this.state = newState(uploadId);
		const { log, slot, state } = this;
		// What is known here was known to the service before.
		const isReachable = uploadId !== undefined && ledger.find(uploadId) !== undefined;
		this.recovery = new UploadRecovery(context, { job, state, slot, log }, isReachable);
	}

	async run(): Promise<UploadResult> {
		this.signal?.throwIfAborted();
		this.checkSize();
		try {
			const early = await this.existing();
			if (early && early !== 'busy') return early;
			await this.slot.acquire(this.job.uploadId !== undefined || this.identity.candidate() !== undefined);
			for (;;) {
				// What was seen before a wait may have changed meanwhile.
				const hasWaited = early === 'busy' || this.slot.waitedMs > 0;
				const existing = hasWaited ? await this.existing(this.slot) : undefined;
				if (existing && existing !== 'busy') return existing;
				if (await this.transfer()) return this.completed();
			}
		} finally {
			this.reader.close();
			this.slot.release();
			this.state.waitedMs = this.slot.waitedMs;
		}
	}

	/** Records the upload that ends unfinished, so that it can be resumed, and is known if it holds the slot. */
	leave(error: unknown): void {
		const { job, log, state } = this;
		// Without a new upload, the one that the service reported as unknown is the only one to resume.
		if (state.lost && state.uploadId === undefined) Object.assign(state, state.lost);
		log.setUploadId(state.uploadId);
		log.write(`ends unfinished at ${state.offset} of ${job.file.size} bytes: ${errorMessage(error)}`);
		state.isCorrupt ||= error instanceof WrongSizeError && state.uploadId !== undefined;
		this.leaveEntry(state.isUnknown ? 'lost' : 'unfinished', state.isCorrupt);
	}

	/** The service need not report what size an upload was created with; the ledger may know it. */
	private checkSize(): void {
		const { context, job, ledger } = this;
		if (job.uploadId === undefined) return;
		const size = ledger.find(job.uploadId)?.file.size;
		if (size === undefined || size === job.file.size) return;
		const reason = otherSizeReason(`is for a file of ${size} bytes`, job.file.size);
		throw fileMismatchError(context, job.uploadId, reason, job.itemIndex);
	}

	/**
	 * Asks the ledger and the service's list whether the file need not be sent.
	 *
	 * @param slot when it is held: what others work on is waited for, so that its end decides
	 * @returns `busy` without a slot, when that is not decided yet
	 */
	private async existing(slot?: UploadSlot): Promise<UploadResult | 'busy' | undefined> {
		const { identity, job, state } = this;
		const complete = await identity.completed();
		if (complete) {
			claim(complete);
			Object.assign(state, { uploadId: complete.uploadId, offset: job.file.size });
			return { kind: 'complete', state, entry: complete };
		}
		for (;;) {
			const existing = await job.findExisting?.();
			if (existing && !('busy' in existing)) return { kind: 'exists', state, existing };
			if (!existing || !slot) return existing && 'busy';
			await slot.waitFor(existing.busy);
		}
	}

	/** @returns false after a wait, when it has to be asked again whether the upload is needed */
	private async transfer(): Promise<boolean> {
		const { identity, job, log, reader, recovery, state } = this;
		this.choose(job.uploadId ?? state.uploadId ?? this.identity.candidate()?.uploadId);
		log.write(`${state.uploadId === undefined ? 'starts' : 'is continued'}: ${formatBytes(job.file.size)}`);
		let tus = await this.createTransfer();
		for (;;) {
			const transfer = tus;
			let failure = await failureOf(async () => {
				await transfer.run();
			});
			if (!failure) return true;
			reader.close();
			if (this.leavesFor(failure.error)) {
				tus = await this.createTransfer();
				continue;
			}
			const next = await recovery.recover(failure.error);
			if (next === 'waited' && state.uploadId === undefined) return false;
			if (next === 'again' || next === 'waited') continue;
			if (next === 'unknown') {
				if (recovery.isLastByteAccepted || (await this.isListed())) {
					// All of it is there: of this file, or of another one with its name and size.
					failure = await failureOf(async () => {
						await identity.check(state.uploadId ?? '', job.file.size);
					});
					if (!failure) return true;
				}
				if (this.leavesFor(failure.error) || this.startOver()) {
					tus = await this.createTransfer();
					continue;
				}
				state.isUnknown = true;
			}
			const { lost, slotHolder } = state;
			if (lost && slotHolder?.entry.uploadId === lost.uploadId) {
				log.write('is known to the service again, so it is resumed');
				Object.assign(state, { lost: undefined, slotHolder: undefined });
				this.choose(lost.uploadId);
				state.offset = lost.offset;
				tus = await this.createTransfer();
				continue;
			}
			await this.refreshOffset();
			const { error } = failure;
			throw error instanceof Error ? error : new Error(errorMessage(error));
		}
	}

	private completed(): UploadResult {
		const { identity, job, log, own, state } = this;
		state.offset = job.file.size;
		log.write(`is complete: ${formatBytes(job.file.size)}, resumed ${state.resumes} times`);
		return { kind: 'complete', state, entry: own.complete(state.uploadId ?? '', identity.checksums()) };
	}

	/** Continues an upload, or creates one when there is no ID. */
	private choose(uploadId: string | undefined): void {
		const { log, own, reader, recovery, state } = this;
		// What was read for another upload says nothing about this one.
		reader.restart();
		own.choose(uploadId);
		state.uploadId = uploadId;
		log.setUploadId(uploadId);
		recovery.isReachable ||= own.entry !== undefined;
		recovery.isLastByteAccepted = own.entry?.sent === 'accepted';
		this.isAllSent = own.entry?.sent !== undefined;
	}

	private async createTransfer(): Promise<TusTransfer> {
		const { context, job, own, reader, state } = this;
		const { file, idleTimeoutMs, itemIndex, maxRequestBytes } = job;
		const sent: UploadFile = { fileName: own.fileName, size: file.size, folder: own.folder };
		const settings = { context, itemIndex, idleTimeoutMs, maxRequestBytes, file: sent, events: this };
		return await createTusUpload(reader, settings, state.uploadId);
	}

	/** Whether an upload is left because it is another file's, so that the next one is chosen. */
	private leavesFor(error: unknown): boolean {
		const { uploadId } = this.state;
		if (!(error instanceof ContentMismatchError) || uploadId === undefined) return false;
		this.choose(this.abandon(uploadId, error)?.uploadId);
		return true;
	}

	/** The file does not belong to the upload. */
	private abandon(uploadId: string, mismatch: ContentMismatchError): OpenEntry | undefined {
		const { identity, log, own, recovery, state } = this;
		log.write(`is not continued: ${mismatch.reason}`);
		state.isCorrupt = mismatch.isCorrupt;
		const { isOwn } = own;
		this.leaveEntry('unfinished', mismatch.isCorrupt);
		const next = identity.reject(uploadId, mismatch, isOwn);
		state.isCorrupt = false;
		state.abandoned.push({ uploadId, reason: mismatch.reason });
		state.offset = 0;
		recovery.startOver();
		return next;
	}

	/** Once, and never in place of an upload that the user named. */
	private startOver(): boolean {
		const { identity, job, log, recovery, state } = this;
		const { uploadId, offset } = state;
		if (uploadId === undefined || job.uploadId !== undefined || this.hasStartedOver) return false;
		log.write('is unknown to the service, so it starts over');
		this.hasStartedOver = true;
		this.leaveEntry('unfinished', false);
		identity.exclude(uploadId);
		state.lost = { uploadId, offset };
		state.offset = 0;
		recovery.startOver();
		this.choose(undefined);
		return true;
	}

	/** Whether the service lists the video of an upload that it no longer knows: its last response was lost. */
	private async isListed(): Promise<boolean> {
		const { isAllSent, job, own } = this;
		if (!isAllSent || !own.entry || !job.findVideo) return false;
		return (await job.findVideo(own.entry)) !== undefined;
	}

	/** The service may have stored more than its last response reported. */
	private async refreshOffset(): Promise<void> {
		const { context, job, state } = this;
		if (state.uploadId === undefined || state.bytesSent === this.sentAtOffset) return;
		const request = { ...stateRequest(state.uploadId, job.itemIndex), timeout: job.idleTimeoutMs };
		const response = await requestOnce(context, request).catch(() => undefined);
		state.offset = (response && uploadOffsetOf(response)) ?? state.offset;
	}

	private leaveEntry(status: 'unfinished' | 'lost', isCorrupt: boolean): void {
		const { identity, isAllSent, own, recovery } = this;
		const sent = recovery.isLastByteAccepted ? 'accepted' : isAllSent ? 'all' : own.entry?.sent;
		own.leave(status, { isCorrupt, sent, checksums: identity.checksums() });
	}

	// What tus-js-client's requests report.

	async beforeCreate(): Promise<void> {
		const limits = { idleTimeoutMs: this.job.idleTimeoutMs, cancelled: this.signal };
		await withIdleTimeout(this.reader, limits, async (onRead) => {
			await this.reader.openStart(onRead);
		});
	}

	created(serviceTime: number | undefined): void {
		this.own.created(serviceTime);
	}

	known(uploadId: string): void {
		const { ledger, log, own, recovery, state } = this;
		const isNew = state.uploadId === undefined;
		if (!isNew && state.offset + state.bytesSent > 0) state.resumes++;
		state.uploadId = uploadId;
		state.isCreateLost = false;
		log.setUploadId(uploadId);
		recovery.isReachable = true;
		own.known(uploadId);
		if (isNew) {
			const name = own.entry?.mark === undefined ? '' : `, and its video appears as "${own.fileName}"`;
			log.write(`was created: after a restart of n8n, Upload → Resume with this ID completes it${name}`);
		}
		// The old upload is remembered until the new one replaces it.
		if (state.lost) ledger.record(this.context, state.lost.uploadId, { status: 'lost' });
	}

	async beforeResume(uploadId: string, offset: number, serviceTime: number | undefined): Promise<void> {
		const { file } = this.job;
		if (offset < file.size) this.own.foundUnfinished(serviceTime);
		await this.identity.check(uploadId, offset);
		this.log.resumeAt(offset);
		if (offset > 0 && offset < file.size) this.log.write(`resumes at ${offset} of ${file.size} bytes`);
	}

	acknowledged(offset: number): void {
		const { job, recovery, state } = this;
		state.offset = offset;
		this.sentAtOffset = state.bytesSent;
		const isComplete = offset >= job.file.size;
		if (!isComplete) this.isAllSent = false;
		if (!isComplete && this.own.entry) this.own.entry.sent = undefined;
		recovery.acknowledged(isComplete);
	}

	sent(bytes: number, isLastByte: boolean): void {
		this.state.bytesSent += bytes;
		this.isAllSent ||= isLastByte;
	}

	lastByteAccepted(): void {
		this.recovery.isLastByteAccepted = true;
	}

	progress(offset: number): void {
		this.log.progress(offset);
		this.job.onProgress(offset);
	}
}

/** @returns what the action threw; undefined when it did not throw */
async function failureOf(action: () => Promise<void>): Promise<{ error: unknown } | undefined> {
	try {
		await action();
		return undefined;
	} catch (error) {
		return { error };
	}
}
