import type { IExecuteFunctions } from 'n8n-workflow';

import { errorMessage, formatBytes } from '../shared/text';
import { pause } from '../shared/waiting';
import { FileReader } from '../sources/fileReader';
import { ContentMismatchError, TransferError } from '../sources/transfer';
import { isSlotBusy, mayBeCarriedOut, wasNotSent, wasRejected } from '../transport/errors';
import { cancelSignal, requestOnce } from '../transport/request';
import type { StreamedBody } from '../transport/serviceRequest';
import { ContentProof, OTHER_CONTENT } from './contentProof';
import { postUpload } from './createUpload';
import { findEarlier, unfinishedOf, uploadOfOther } from './earlier';
import { type UploadJob, type UploadProgress, type UploadResult, changesVideo, noteWishes } from './job';
import { setBusy, setComplete, UploadMemory, type UploadRecord } from './memory';
import { findSentVideo, lostResponseError } from './newVideo';
import { Recovery } from './recovery';
import { UploadSlot } from './slot';
import { sendRange } from './tus/requestBody';
import { transferFile, type FileRange, type TusRequests } from './tus/tusClient';
import { appendRequest, readState, uploadOffsetOf, UnknownUploadError } from './tus/uploadRequests';
import { UploadLog } from './uploadLog';
import { firstName, newMark } from './videoNames';

/** Uploads a file, unless another item or execution has done so. Keeps the progress up to date, also when it throws. */
export async function uploadFile(
	context: IExecuteFunctions,
	job: UploadJob,
	progress: UploadProgress,
): Promise<UploadResult> {
	return await new Upload(context, job, progress, await UploadMemory.of(context)).run();
}

/** One upload, from the look for an existing video to the last byte. */
class Upload implements TusRequests {
	private readonly reader: FileReader;
	readonly proof: ContentProof;
	private readonly slot: UploadSlot;
	readonly log: UploadLog;
	private recovery: Recovery;
	/** Locked by this Upload; undefined until found or created. */
	private record: UploadRecord | undefined;

	private get exists(): boolean {
		return this.job.uploadId !== undefined || this.record !== undefined;
	}

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		readonly progress: UploadProgress,
		private readonly memory: UploadMemory,
	) {
		const { file, idleTimeoutMs } = job;
		this.reader = new FileReader(job.source, { idleTimeoutMs, cancelled: cancelSignal(context) });
		this.proof = new ContentProof(job, this.reader);
		this.log = new UploadLog(context, file, progress);
		this.slot = new UploadSlot(context, memory, job, this);
		this.recovery = new Recovery(context);
	}

	async run(): Promise<UploadResult> {
		const { job, log, reader, slot } = this;
		try {
			log.write(`starts: ${formatBytes(job.file.size)}`);
			let result: UploadResult | undefined;
			while (!result) result = await this.attempt().catch(this.recover.bind(this));
			return result;
		} catch (error) {
			throw await this.ending(error);
		} finally {
			this.leave();
			reader.close();
			slot.leave();
		}
	}

	/** Sends the file, or the part that the service lacks. */
	private async attempt(): Promise<UploadResult | undefined> {
		const { file, maxRequestBytes } = this.job;
		const needless = await this.prepare();
		if (needless) return needless;
		await transferFile(file.size, this, { exists: this.exists, maxRequestBytes });
		return this.record && this.completed(this.record);
	}

	/** Looks for a video or an upload of the file, and waits in line for the slot; looks again after each wait. */
	private async prepare(): Promise<UploadResult | undefined> {
		const { context, job, memory, progress, slot } = this;
		for (;;) {
			// A locked upload is completed, whatever a list shows after a wait.
			if (!this.record) {
				await slot.waitForOwner(() => job.uploadId ?? uploadOfOther(memory, job));
				const { complete, existing, unfinished } = await findEarlier(context, memory, job, this);
				// Locked since it was waited for.
				if (complete?.isBusy || unfinished?.isBusy) continue;
				if (complete) return this.completed(complete);
				if (existing) return { existing };
				if (unfinished) setBusy(unfinished, true);
				this.record = unfinished;
				progress.uploadId = unfinished?.uploadId ?? progress.uploadId;
			}
			const hasWaited = await slot.enter(!this.exists);
			if (!hasWaited && (this.exists || uploadOfOther(memory, job) === undefined)) return undefined;
		}
	}

	/** POST. Opens the source first: nothing is created for a file that is gone. */
	async create(): Promise<void> {
		const { context, job, memory, progress, proof, reader } = this;
		reader.closeIdle();
		await reader.open(0);
		const mark = changesVideo(job) ? newMark() : undefined;
		const fields = { file: job.file, mark, status: 'unfinished', isBusy: true } as const;
		// One try: before the next one, another item may have uploaded the file.
		this.record = await postUpload(context, memory, fields, requestOnce);
		noteWishes(this.record, job);
		proof.sent(0);
		Object.assign(progress, { uploadId: this.record.uploadId, offset: 0 });
	}

	/** HEAD. Sends nothing before the bytes at the service are proven to be the file's. */
	async requestOffset(): Promise<number> {
		const { job, log, memory, progress } = this;
		const { file, uploadId = '' } = job;
		const state = await this.acknowledge();
		const { offset } = state;
		this.record ??= memory.addForeign(uploadId, file, state);
		noteWishes(this.record, job);
		if (offset === file.size) return offset;
		memory.resumed(this.record, state);
		if (offset + progress.bytesSent > 0) progress.resumes++;
		if (offset > 0) log.write(`resumes at ${offset} of ${file.size} bytes`);
		return offset;
	}

	/** PATCH. Without an offset in the response, HEAD follows: the service may have stored less than it accepted. */
	async append(range: FileRange): Promise<number> {
		const { context, job, log, progress, proof, reader, record } = this;
		if (!record) throw new Error('Bytes are sent to an upload that was created or found');
		// The folder of Resume, else the folder that the upload was created for.
		const { name, size, folder = record.file.folder } = job.file;
		const file = { name: firstName(name, record.mark), size, folder };
		const request = appendRequest(record.uploadId, file, range);
		let to = range.start;
		const onAccepted = (bytes: number) => {
			to += bytes;
			progress.bytesSent += bytes;
			progress.offset = undefined;
			proof.sent(to);
			if (to === size) record.sent = 'all';
			log.progress(to);
		};
		const { bytesSent, offset: offsetBefore } = progress;
		const send = async (body: StreamedBody, signal: AbortSignal) =>
			await requestOnce(context, { ...request, body, signal });
		const response = await sendRange(reader, range, onAccepted, send).catch((error: unknown) => {
			if (wasRejected(error)) record.sent = undefined;
			if (wasNotSent(error)) Object.assign(progress, { bytesSent, offset: offsetBefore });
			throw error;
		});
		if (to === size) record.sent = 'accepted';
		const { offset } = await this.acknowledge(uploadOffsetOf(response));
		if (offset > range.start) return offset;
		throw new TransferError('The service stored none of the bytes that were sent to it', true);
	}

	/** Reads the offset with HEAD unless a PATCH has reported it, and proves the bytes. */
	private async acknowledge(reported?: number) {
		const { context, job, memory, progress, proof, record, recovery } = this;
		const { idleTimeoutMs: timeoutMs } = job;
		const limits = { timeoutMs, droppedSize: record?.sent === 'accepted' ? record.file.size : undefined };
		const read = async () => await readState(context, progress.uploadId ?? '', limits);
		const state = reported === undefined ? await read() : { offset: reported };
		progress.offset = state.offset;
		await proof.check(state, record);
		recovery.reached(state.offset);
		if (record) memory.reached(record, state.offset);
		return state;
	}

	/** Waits for the next try. Throws the error after the last one. */
	private async recover(error: unknown): Promise<undefined> {
		const { context, exists, log, progress, reader, record, slot } = this;
		cancelSignal(context)?.throwIfAborted();
		if (isSlotBusy(error)) {
			await slot.waitForService(error, record);
			return;
		}
		reader.close();
		const next = this.recovery.after(error, progress);
		// Before anything exists, a source may only have changed for a moment.
		const isOther = error instanceof ContentMismatchError && (exists || progress.replaced);
		if (isOther) this.replace(error);
		else if (next !== 'give up') {
			log.write(`was interrupted and continues in ${next.pauseMs} ms: ${errorMessage(error)}`);
			await pause(next.pauseMs, cancelSignal(context));
		} else if (!(error instanceof UnknownUploadError)) throw error;
		else if (record?.sent === undefined) this.replace(error, true);
		else if (progress.bytesSent === 0 && record.content && !(await this.proof.isOf(record)))
			this.replace(new ContentMismatchError(OTHER_CONTENT), true);
		else await findSentVideo(context, record);
	}

	/** Replaces the upload by a new one: once, and never an upload that the user named. */
	private replace(error: ContentMismatchError | UnknownUploadError, isGone = false): void {
		const { context, job, log, memory, progress, record } = this;
		if (error instanceof UnknownUploadError && record) memory.forget(record);
		if (isGone) progress.offset = undefined;
		if (job.uploadId !== undefined || progress.replaced) throw error;
		log.write(`is replaced by a new one: ${error.reason}`);
		this.leave();
		progress.replaced = { uploadId: progress.uploadId ?? '', reason: error.reason };
		// The next error is not about an upload that is gone or complete.
		if (isGone || progress.offset === job.file.size) progress.uploadId = progress.offset = undefined;
		this.recovery = new Recovery(context);
	}

	/** The error that the upload ends with, also of one that was not looked up yet. Reads the offset once more: it may have risen. */
	private async ending(error: unknown): Promise<unknown> {
		const { context, job, log, memory, progress, record } = this;
		if (!mayBeCarriedOut(error)) progress.uploadId ??= unfinishedOf(memory, job, progress)?.uploadId;
		const isUnfinished = record?.status === 'unfinished' && progress.bytesSent > 0;
		if (isUnfinished) await this.acknowledge().catch(() => {});
		// Without Resume Unfinished, Retry On Fail would send the file again.
		const isSentAgain = isUnfinished && record.sent !== undefined && !job.resumeUnfinished;
		const reason = isSentAgain ? lostResponseError(context, record) : error;
		log.ends(progress.offset, reason);
		return reason;
	}

	/** Unlocks the upload, and stores the digest of what was sent. */
	private leave(): void {
		const { proof, record } = this;
		if (!record) return;
		record.content = proof.end(record);
		setBusy(record, false);
		this.record = undefined;
	}

	private completed(record: UploadRecord): UploadResult {
		const { job, log, progress } = this;
		noteWishes(record, job);
		setComplete(record, job.title !== '');
		this.leave();
		setBusy(record, true);
		Object.assign(progress, { uploadId: record.uploadId, offset: job.file.size });
		log.write(`is complete: ${formatBytes(job.file.size)}, resumed ${progress.resumes} times`);
		return { complete: record };
	}
}
