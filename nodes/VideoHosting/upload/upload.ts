import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage } from '../shared/errorMessage';
import { formatBytes } from '../shared/formatBytes';
import { pause } from '../shared/pause';
import { FileReader, type SourceRange } from '../sources/fileReader';
import { ContentMismatchError, TransferError } from '../sources/transferErrors';
import { operationError } from '../transport/errors';
import { cancelSignal } from '../transport/request';
import { ContentProof } from './contentProof';
import { postUpload } from './createUpload';
import { findExistingVideo, type ExistingVideo } from './existingVideo';
import { changesVideo, UploadInterruptedError, type UploadJob, type UploadProgress } from './job';
import { setBusy, UploadMemory, type UploadRecord } from './memory';
import { findSentVideo } from './newVideo';
import { Failures, recoveryFrom, UnknownUploadError } from './recovery';
import { UploadSlot } from './slot';
import { sendRange } from './tus/requestBody';
import { transferFile, type TusRequests } from './tus/tusClient';
import { appendRequest, uploadOffsetOf, type UploadFile } from './tus/uploadRequests';
import { readState, requestOfUpload, type UploadState } from './tus/uploadState';
import { UploadLog } from './uploadLog';
import { firstName, newMark } from './videoNames';

/** What an upload has come to. */
export type UploadResult =
	/** The service has the whole file. The record is busy until its video is found and finished. */
	| { kind: 'complete'; progress: UploadProgress; record: UploadRecord }
	/** The file need not be sent. */
	| { kind: 'exists'; progress: UploadProgress; existing: ExistingVideo };

/**
 * Uploads a file, unless it need not be: another item or execution may have uploaded it meanwhile. After an interruption it
 * requests the service's offset and resumes there, so no acknowledged byte is sent twice.
 *
 * @throws UploadInterruptedError with the reason and how far it got
 */
export async function uploadFile(context: IExecuteFunctions, job: UploadJob): Promise<UploadResult> {
	return await new Upload(context, job, await UploadMemory.of(context)).run();
}

/** One upload from the question whether it is needed to its last byte. */
class Upload implements TusRequests {
	private readonly progress: UploadProgress;
	private readonly signal: AbortSignal | undefined;
	private readonly reader: FileReader;
	private readonly proof: ContentProof;
	private readonly slot: UploadSlot;
	private readonly log: UploadLog;
	private readonly failures = new Failures();

	/** The upload at the service that the file is sent to; undefined until it is known here. */
	private record: UploadRecord | undefined;

	/** A complete upload that turned out to be of another file. */
	private otherContent: UploadRecord | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		private readonly memory: UploadMemory,
	) {
		const { file, idleTimeoutMs, maxWaitMs, source, uploadId } = job;
		this.progress = { uploadId, offset: 0, bytesSent: 0, resumes: 0, waitedMs: 0 };
		this.signal = cancelSignal(context);
		this.reader = new FileReader(source, { idleTimeoutMs, cancelled: this.signal });
		this.proof = new ContentProof(job, this.reader);
		this.slot = new UploadSlot(context, memory, maxWaitMs, this.progress);
		this.log = new UploadLog(context, file, this.progress);
	}

	async run(): Promise<UploadResult> {
		const { job, log, progress, reader, signal, slot } = this;
		try {
			signal?.throwIfAborted();
			log.write(`starts: ${formatBytes(job.file.size)}`);
			for (;;) {
				const needless = await this.prepare();
				if (needless) return needless;
				if (await this.transfer()) return this.completed();
			}
		} catch (error) {
			log.write(`ends at ${progress.offset} of ${job.file.size} bytes: ${errorMessage(error)}`);
			this.leave();
			throw new UploadInterruptedError(error, progress);
		} finally {
			reader.close();
			slot.leave();
		}
	}

	/** Asks what there is of the file, and waits in the line of this process. After a wait it asks again. */
	private async prepare(): Promise<UploadResult | undefined> {
		const { context, job, memory, progress, slot } = this;
		do {
			const record = await this.completeBefore();
			if (record) return { kind: 'complete', progress, record };
			const existing = await findExistingVideo(context, memory, job);
			if (existing) return { kind: 'exists', progress, existing };
			this.choose();
		} while (await slot.enter(progress.uploadId === undefined));
		return undefined;
	}

	/** An upload of this file whose title or thumbnail could not be set: it is finished without being sent again. */
	private async completeBefore(): Promise<UploadRecord | undefined> {
		const { job, memory, progress, reader } = this;
		const record = memory.completeOf(job);
		if (!record?.content || record === this.otherContent) return undefined;
		if (!(await reader.matches(record.content))) {
			this.otherContent = record;
			return undefined;
		}
		// Another item may have begun to finish it.
		if (memory.completeOf(job) !== record) return undefined;
		setBusy(record, true);
		Object.assign(progress, { uploadId: record.uploadId, offset: job.file.size });
		return record;
	}

	/** Takes the upload that the user named, or the latest unfinished one of this file. */
	private choose(): void {
		const { job, memory, progress } = this;
		this.leave();
		const mayResume = job.resumeUnfinished && progress.replaced === undefined;
		if (job.uploadId !== undefined) this.record = memory.find(job.uploadId);
		else if (mayResume) this.record = memory.unfinishedOf(job);
		if (this.record) setBusy(this.record, true);
		progress.uploadId = job.uploadId ?? this.record?.uploadId;
	}

	/** @returns whether the service has the whole file; otherwise a new upload has to be prepared */
	private async transfer(): Promise<boolean> {
		const { job, progress, reader } = this;
		do {
			try {
				const exists = progress.uploadId !== undefined;
				await transferFile(reader, this, { exists, maxRequestBytes: job.maxRequestBytes });
				return true;
			} catch (error) {
				reader.close();
				await this.recover(error);
			}
		} while (progress.uploadId !== undefined);
		return false;
	}

	/** POST. A file that is gone is noticed before anything is created for it. */
	async create(): Promise<void> {
		const { context, job, log, memory, progress, proof, reader } = this;
		const { file, planId, title } = job;
		await reader.open(0);
		const mark = changesVideo(job) ? newMark() : undefined;
		this.record = await postUpload(context, memory, { file, mark, planId, status: 'sending', title });
		proof.sent(0);
		progress.uploadId = this.record.uploadId;
		log.write(`was created as "${this.file.name}": Upload → Resume with this ID completes it`);
	}

	/** HEAD. The bytes that the service has must be the file's before more are sent. */
	async requestOffset(): Promise<number> {
		const { job, log, memory, progress, proof } = this;
		const { file, planId, title, uploadId = '' } = job;
		const state = await this.readState();
		const { offset, time } = state;
		await proof.check(state, this.record);
		const createdAt = offset < file.size ? time : undefined;
		this.record ??= memory.add({ uploadId, file, planId, title, createdAt, status: 'sending', isBusy: true });
		if (offset < file.size) this.record.status = 'sending';
		if (offset + progress.bytesSent > 0) progress.resumes++;
		if (offset > 0) log.write(`resumes at ${offset} of ${file.size} bytes`);
		this.acknowledge(offset);
		return offset;
	}

	/** PATCH. Where its response has no offset, HEAD decides: the service may have stored less than it accepted. */
	async append(range: SourceRange, start: number): Promise<number> {
		const { context, file, log, progress, proof, record } = this;
		if (!record) throw new Error('Bytes are sent to an upload that was created or found');
		const request = appendRequest(record.uploadId, file, { offset: start, size: range.size });
		let to = start;
		const onAccepted = (bytes: number) => {
			to += bytes;
			progress.bytesSent += bytes;
			proof.sent(to);
			if (to === file.size) record.sent = 'all';
			log.progress(to);
		};
		const response = await sendRange(range, onAccepted, async (body, signal) => {
			return await requestOfUpload(context, { ...request, body, signal });
		});
		if (to === file.size) record.sent = 'accepted';
		const offset = uploadOffsetOf(response) ?? (await this.readState()).offset;
		if (offset > start + range.size) {
			const message = `The service has ${offset} bytes, but only ${to} bytes of the file were sent.`;
			throw operationError(context, message, 'Check that no other program writes to this upload.');
		}
		this.acknowledge(offset);
		if (offset > start) return offset;
		throw new TransferError('The service stored none of the bytes that were sent to it', true);
	}

	/** The file as the service knows it: with the first name of its video, and the folder that the upload was created for. */
	private get file(): UploadFile {
		const { job, record } = this;
		const { folder = record?.file.folder, name, size } = job.file;
		return { name: firstName(name, record?.mark), size, folder };
	}

	private async readState(): Promise<UploadState> {
		const { context, job, progress, record } = this;
		return await readState(context, progress.uploadId ?? '', job.idleTimeoutMs).catch((error: unknown) => {
			// A service may drop an upload once it is complete.
			if (error instanceof UnknownUploadError && record?.sent === 'accepted')
				return { offset: job.file.size };
			throw error;
		});
	}

	private acknowledge(offset: number): void {
		const { failures, job, progress, record } = this;
		progress.offset = offset;
		failures.reached(offset);
		if (record && offset < job.file.size) record.sent = undefined;
	}

	/**
	 * Waits until the next try.
	 *
	 * @throws the error when there is none
	 */
	private async recover(error: unknown): Promise<void> {
		const { context, failures, log, memory, progress, record, signal, slot } = this;
		signal?.throwIfAborted();
		if (error instanceof ContentMismatchError) {
			this.startOver(error, error.reason);
			return;
		}
		failures.add(error);
		const next = recoveryFrom(error, failures, progress.uploadId !== undefined);
		if (next.step === 'fail') throw error;
		if (next.step === 'wait for slot') {
			log.write('waits for the upload slot of the application');
			await slot.waitForService(error, record?.uploadId, next.retryAfterMs);
		} else if (next.step === 'retry') {
			const seconds = (next.pauseMs / 1000).toFixed(1);
			log.write(`was interrupted and continues in ${seconds} s: ${errorMessage(error)}`);
			await pause(next.pauseMs, signal);
		} else if (record?.sent === undefined) {
			this.startOver(error, 'the service does not know it any more');
			if (record) memory.forget(record);
		} else {
			await findSentVideo(context, memory, record);
		}
	}

	/**
	 * A new upload takes the place of the present one, once.
	 *
	 * @throws the error when there was one already, or when the user named the upload
	 */
	private startOver(error: unknown, reason: string): void {
		const { job, log, progress } = this;
		if (job.uploadId !== undefined || progress.replaced) throw error;
		log.write(`is replaced by a new one: ${reason}`);
		this.leave();
		const replaced = { uploadId: progress.uploadId ?? '', reason };
		Object.assign(progress, { uploadId: undefined, offset: 0, replaced });
	}

	/** Leaves the upload to others, with what is known of the bytes that were sent. */
	private leave(): void {
		const { proof, record } = this;
		if (!record) return;
		record.content = proof.end(record);
		if (record.status === 'sending') record.status = 'unfinished';
		setBusy(record, false);
		this.record = undefined;
	}

	private completed(): UploadResult {
		const { job, log, progress, proof, record } = this;
		if (!record) throw new Error('An upload that is complete was created or found');
		log.write(`is complete: ${formatBytes(job.file.size)}, resumed ${progress.resumes} times`);
		const status = record.mark === undefined || record.status === 'done' ? 'done' : 'complete';
		Object.assign(record, {
			content: proof.end(record),
			sent: 'accepted',
			status,
			at: Date.now(),
		});
		progress.offset = job.file.size;
		return { kind: 'complete', progress, record };
	}
}
