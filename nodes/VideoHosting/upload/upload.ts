import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { formatBytes } from '../shared/formatBytes';
import { cancelSignal } from '../transport/request';
import { unwrapResponseError } from './decision';
import { forgetLeftUpload, leaveUpload, recordCreation } from './slotHolder';
import { UploadIdentity } from './uploadIdentity';
import { UploadInterruptedError } from './uploadInterruptedError';
import { UploadRecovery } from './uploadRecovery';
import { UploadSlot } from './uploadSlot';
import { WrongSizeError } from '../sources/wrongSizeError';
import { RangeReader } from '../sources/rangeReader';
import { createTusUpload, type TusTransfer } from './tus/tusUpload';
import { fileMismatchError, otherSizeReason, type UploadFile } from './tus/uploadRequests';
import type { UploadFigures, UploadJob } from './uploadJob';
import { UploadLog } from './uploadLog';

/**
 * Uploads a file. After an interruption it requests the service's offset and resumes there, so no acknowledged byte is sent
 * twice.
 *
 * @throws UploadInterruptedError with the reason and the figures
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadFigures> {
	const upload = new Upload(context, job);
	try {
		await upload.run();
		return upload.figures;
	} catch (error) {
		upload.leave(error);
		throw interruptedError(error, upload);
	}
}

function interruptedError(error: unknown, { figures, signal }: Upload): UploadInterruptedError {
	return new UploadInterruptedError(unwrapResponseError(error), figures, signal?.aborted === true);
}

class Upload {
	readonly figures: UploadFigures;

	readonly signal: AbortSignal | undefined;

	private identity: UploadIdentity | undefined;

	private readonly reader: RangeReader;

	private readonly file: UploadFile;

	private readonly log: UploadLog;

	private slot: UploadSlot | undefined;

	private recovery: UploadRecovery | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
	) {
		const { source, fileName, folder, uploadId } = job;
		this.file = { fileName, folder, size: source.size };
		this.log = new UploadLog(context, this.file);
		this.reader = new RangeReader(source);
		this.signal = cancelSignal(context);
		this.figures = {
			uploadId,
			offset: 0,
			bytesSent: 0,
			resumes: 0,
			waitedMs: 0,
			forgotten: undefined,
			abandoned: [],
			isSpoiled: false,
			isUnknown: false,
			isCreateLost: false,
			slotHolder: undefined,
		};
	}

	async run(): Promise<void> {
		const { context, file, job, reader } = this;
		this.signal?.throwIfAborted();
		this.identity = await UploadIdentity.open(context, job, file, reader);
		this.checkSize(this.identity);
		this.slot = await UploadSlot.acquire(context, job);
		try {
			await this.transfer(this.slot, this.identity);
			forgetLeftUpload(this.slot.application, this.figures.uploadId);
			forgetLeftUpload(this.slot.application, this.figures.forgotten?.uploadId);
		} finally {
			this.reader.close();
			this.slot.release();
			this.figures.waitedMs = this.slot.waitedMs;
		}
	}

	/** Records the upload that ends unfinished, so that it can be resumed, and reported if it holds the slot. */
	leave(error: unknown): void {
		const { figures, file, identity, slot } = this;
		const { forgotten } = figures;
		// Without a new upload, the one that the service reported as unknown is the only one to resume.
		if (forgotten && figures.uploadId === undefined) Object.assign(figures, forgotten);
		this.log.setUploadId(figures.uploadId);
		this.log.write(`ends unfinished at ${figures.offset} of ${file.size} bytes: ${errorMessage(error)}`);
		if (figures.uploadId === undefined) return;
		figures.isSpoiled ||= error instanceof WrongSizeError;
		if (error instanceof WrongSizeError) identity?.forget(figures.uploadId);
		else identity?.leave(figures.uploadId);
		if (slot && !figures.isUnknown && this.recovery?.isOfOtherFile !== true) {
			const { uploadId, isSpoiled } = figures;
			leaveUpload(slot.application, { ...file, uploadId, isSpoiled });
		}
	}

	/** The service need not report what size an upload was created with; the workflow may remember it. */
	private checkSize(identity: UploadIdentity): void {
		const { context, job, file } = this;
		if (job.uploadId === undefined) return;
		const size = identity.sizeOf(job.uploadId);
		if (size === undefined || size === file.size) return;
		const reason = otherSizeReason(`is for a file of ${size} bytes`, file.size);
		throw fileMismatchError(context, job.uploadId, reason, job.itemIndex);
	}

	private async transfer(slot: UploadSlot, identity: UploadIdentity): Promise<void> {
		const { context, figures, file, job, log } = this;
		figures.uploadId = identity.candidate();
		const isRemembered = figures.uploadId !== undefined && identity.sizeOf(figures.uploadId) !== undefined;
		const recovery = new UploadRecovery({ context, job, file, figures, slot, identity, log }, isRemembered);
		this.recovery = recovery;
		log.setUploadId(figures.uploadId);
		log.write(`${figures.uploadId === undefined ? 'starts' : 'is continued'}: ${formatBytes(file.size)}`);
		let tus = await this.createTransfer(identity, recovery);
		for (;;) {
			const failed = await this.attempt(tus);
			const next = failed === undefined ? 'complete' : await recovery.recover(failed.reason);
			if (next === 'complete') {
				figures.offset = file.size;
				log.write(`is complete: ${formatBytes(file.size)}, resumed ${figures.resumes} times`);
				if (figures.uploadId !== undefined) identity.forget(figures.uploadId);
				return;
			}
			log.setUploadId(figures.uploadId);
			if (next === 'newTransfer') tus = await this.createTransfer(identity, recovery);
		}
	}

	private async createTransfer(identity: UploadIdentity, recovery: UploadRecovery): Promise<TusTransfer> {
		const { context, figures, file, job, log } = this;
		return await createTusUpload(
			this.reader,
			{
				context,
				itemIndex: job.itemIndex,
				file,
				idleTimeoutMs: job.idleTimeoutMs,
				maxRequestBytes: job.maxRequestBytes,
				onUploadKnown: (uploadId) => {
					if (figures.uploadId === undefined && this.slot) recordCreation(this.slot.application);
					if (figures.uploadId !== undefined && figures.offset + figures.bytesSent > 0) figures.resumes++;
					figures.uploadId = uploadId;
					figures.isCreateLost = false;
					log.setUploadId(uploadId);
					recovery.onUploadKnown();
					identity.setKnown(uploadId);
					// The old upload stays stored until the new one replaces it.
					if (figures.forgotten) identity.forget(figures.forgotten.uploadId);
				},
				beforeResume: async (id, offset) => {
					await identity.check(id, offset);
					log.resumeAt(offset);
					if (offset > 0 && offset < file.size) log.write(`resumes at ${offset} of ${file.size} bytes`);
				},
				onOffset: (offset) => {
					figures.offset = offset;
					recovery.onOffset(offset);
				},
				onLastByteAccepted: () => {
					recovery.onLastByteAccepted();
				},
				onSent: (bytes) => (figures.bytesSent += bytes),
				onProgress: (offset) => {
					log.progress(offset);
					job.onProgress(offset);
				},
			},
			figures.uploadId,
		);
	}

	/** @returns the error that ended the attempt; undefined when the upload is complete */
	private async attempt(tus: TusTransfer): Promise<{ reason: unknown } | undefined> {
		try {
			await tus.run();
			return undefined;
		} catch (error) {
			this.reader.close();
			return { reason: error };
		}
	}
}
