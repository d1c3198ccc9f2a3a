import type { IExecuteFunctions } from 'n8n-workflow';

import { POLICIES } from '../shared/policies';
import { errorMessage, formatBytes } from '../shared/text';
import { ageOf } from '../shared/waiting';
import { FileReader } from '../sources/fileReader';
import { ContentMismatchError } from '../sources/transfer';
import { cancelSignal } from '../transport/request';
import { postUpload } from './createUpload';
import { findExisting } from './existing';
import { finishVideo, lostResponseError } from './finishVideo';
import { changesVideo, type UploadJob, type UploadProgress } from './job';
import { newPending, setWishes, UploadMemory } from './memory';
import type { Before, PendingUpload, UploadedVideo, UploadResult } from './memory';
import { readBefore } from './newVideo';
import { Recovery } from './recovery';
import { UploadSlot } from './slot';
import { Transfer } from './transfer';
import { transferFile } from './tus/tusClient';
import { UnknownUploadError } from './tus/uploadRequests';
import { UploadLog } from './uploadLog';
import { newMark } from './videoNames';

/** Uploads a file, unless another item or execution has done so. Keeps the progress up to date, also when it throws. */
export async function uploadFile(
	context: IExecuteFunctions,
	job: UploadJob,
	progress: UploadProgress,
): Promise<UploadResult> {
	return await new Upload(context, job, progress, await UploadMemory.of(context)).run();
}

/** After a wait, or when an upload was replaced: whatever was asked before may have changed. */
const ASK_AGAIN = 'ask again';

/** One upload, from the look for an existing video to the last byte. */
class Upload {
	readonly reader: FileReader;
	readonly log: UploadLog;
	private readonly slot: UploadSlot;
	private recovery: Recovery;
	/** Of the pending upload that was taken out of the memory, or created. */
	private transfer: Transfer | undefined;
	/** Uploaded videos of the same name, size and folder that have other content, such as two recordings called video.mp4. */
	private readonly others = new Set<UploadedVideo>();
	/** When the source was last opened before a POST; milliseconds since 1970. */
	private openedAt = 0;
	/** Read once for the item; with Skip If Exists, whenever the names are read. */
	private before: Promise<Before> | undefined;

	constructor(
		private readonly context: IExecuteFunctions,
		readonly job: UploadJob,
		readonly progress: UploadProgress,
		readonly memory: UploadMemory,
	) {
		const { file, idleTimeoutMs } = job;
		this.reader = new FileReader(job.source, { idleTimeoutMs, cancelled: cancelSignal(context) }, file.name);
		this.log = new UploadLog(context, file, progress);
		this.slot = new UploadSlot(context, memory, job, this);
		this.recovery = new Recovery(context, this.log, this.slot);
	}

	async run(): Promise<UploadResult> {
		const { job, log, reader, slot } = this;
		try {
			log.write(`starts: ${formatBytes(job.file.size)}`);
			let result: UploadResult | typeof ASK_AGAIN = ASK_AGAIN;
			while (result === ASK_AGAIN) {
				await slot.enter(() => !this.findPending() && this.unfinished.length === 0);
				result = await this.attempt().catch(async (error: unknown) => await this.recover(error));
			}
			return result;
		} catch (error) {
			throw this.ending(error);
		} finally {
			this.putBack();
			reader.close();
			slot.leave();
		}
	}

	/** The error that the upload ends with. It names a pending upload of the file, also where Skip If Exists could not read the list. */
	private ending(error: unknown): unknown {
		const { job, log, progress } = this;
		const pending = this.transfer?.pending;
		progress.uploadId ??= this.findPending()?.uploadId;
		// Without Resume Unfinished, Retry On Fail would send the file again.
		const reason = pending?.isSent && !job.resumeUnfinished ? lostResponseError(pending) : error;
		const at = progress.offset === undefined ? '' : ` at ${progress.offset} of ${job.file.size} bytes`;
		log.write(`ends${at}: ${errorMessage(reason)}`);
		return reason;
	}

	/** Asks what is there, and sends the file, or the part that the service lacks. */
	private async attempt(): Promise<UploadResult | typeof ASK_AGAIN> {
		const { context, job, memory, progress, slot } = this;
		if (this.transfer) return await this.send(this.transfer);
		const uploaded = await this.findUploaded();
		if (uploaded) return this.finished(uploaded);
		const { existing, known } = job.skipIfExists ? await findExisting(context, memory, job) : {};
		if (existing) return { isSkipped: true, ...existing };
		if (known) this.before = Promise.resolve({ known, readBy: progress });
		const pending = this.findPending();
		if (pending) {
			memory.take(pending);
			setWishes(pending, job);
			this.transfer = new Transfer(context, this, pending, false);
			progress.uploadId = pending.uploadId;
		}
		if (this.transfer || !memory.postPause) return await this.send(this.transfer ?? (await this.create()));
		// It entered during a pause of new uploads to continue one, and the service has dropped that one.
		slot.leave();
		return ASK_AGAIN;
	}

	/** The uploaded videos that lack their title or thumbnail, and that may be this file's. */
	private get unfinished(): UploadedVideo[] {
		return this.memory.unfinishedOf(this.job.file).filter((uploaded) => !this.others.has(uploaded));
	}

	private findPending(): PendingUpload | undefined {
		const { job, memory, progress } = this;
		if (job.uploadId !== undefined) {
			const { file, planId, title, uploadId } = job;
			// Of before a restart: its file is the one that the user states.
			return memory.find(uploadId) ?? newPending({ uploadId, file, title, planId, isForeign: true });
		}
		if (!job.resumeUnfinished || progress.replaced) return undefined;
		return memory.findPending(job.file, changesVideo(job));
	}

	/** The uploaded video that Resume names, or that is to be finished with this file. */
	private async findUploaded(): Promise<UploadedVideo | undefined> {
		const { job, memory, others, reader, unfinished } = this;
		if (job.uploadId !== undefined) return memory.findUploaded(job.uploadId);
		for (const uploaded of unfinished) {
			const { content } = uploaded;
			if (content?.to === job.file.size && (await reader.matches(content))) return uploaded;
			others.add(uploaded);
		}
		return undefined;
	}

	/** POST, side by side with the reading of the names. Opens the source first, once a minute: nothing is created for a file that is gone. */
	private async create(): Promise<Transfer> {
		const { context, job, memory, reader } = this;
		const { file, planId, title } = job;
		if (ageOf(this.openedAt) >= POLICIES.sourceMs) {
			await reader.open(0);
			this.openedAt = Date.now();
		}
		const mark = changesVideo(job) ? newMark() : undefined;
		const draft = newPending({ file, title, planId, mark });
		void this.readBefore(draft);
		// One try: before the next one, another item may have uploaded the file.
		const uploadId = (memory.lastCreated = await postUpload(context, this, file, mark));
		return (this.transfer = new Transfer(context, this, { ...draft, uploadId }, true));
	}

	/** Which videos there are before the last byte, for an upload without a mark. It is not known once all bytes may be there. */
	private async readBefore(upload: Omit<PendingUpload, 'uploadId'>): Promise<Before> {
		const { returnVideo, title } = this.job;
		const { before, isSent, mark, planId } = upload;
		if (mark !== undefined || isSent) return before;
		if (planId !== undefined && (returnVideo || title !== ''))
			this.before ??= readBefore(this.context, upload, this.progress);
		return (await this.before) ?? before;
	}

	private async send(transfer: Transfer): Promise<UploadResult> {
		const { job, progress } = this;
		const { pending } = transfer;
		pending.before = await this.readBefore(pending);
		await transferFile(job.file.size, transfer, job.maxRequestBytes);
		// What was read for this item may contain the video.
		if (progress.bytesSent === 0 && 'known' in pending.before && pending.before.readBy === progress)
			pending.before = { unknownBecause: 'all its bytes were at the service before' };
		return this.finished(this.acknowledge(transfer));
	}

	private acknowledge({ content, pending }: Transfer): UploadedVideo {
		this.transfer = undefined;
		return this.memory.acknowledge({ ...pending, content });
	}

	/**
	 * The service has the whole file. Its video is looked up and finished while the next item is uploaded.
	 *
	 * @param isLost whether the last response was lost, so that only the video proves it
	 */
	private finished(uploaded: UploadedVideo, isLost = false): UploadResult {
		const { context, job, log, memory, progress } = this;
		setWishes(uploaded, job);
		if (job.uploadId !== undefined && job.title !== '') uploaded.isDone = false;
		Object.assign(progress, { uploadId: uploaded.uploadId, offset: job.file.size });
		log.write(`is complete: ${formatBytes(job.file.size)}, resumed ${progress.resumes} times`);
		const found = finishVideo(context, memory, uploaded, job, isLost).finally(() => {
			if (uploaded.lookup === found) uploaded.lookup = undefined;
		});
		uploaded.lookup = found;
		return { isSkipped: false, uploaded, found };
	}

	/** Waits for the next try, or replaces an upload that cannot be continued. Throws the error after the last try. */
	private async recover(error: unknown): Promise<UploadResult | typeof ASK_AGAIN> {
		const { progress, reader, recovery, transfer } = this;
		// Each try opens it anew.
		reader.close();
		const { bytesSent, offset = 0 } = progress;
		const wasSent = transfer !== undefined && offset + bytesSent > 0;
		if (await recovery.isRetried(error, wasSent, transfer?.pending)) return ASK_AGAIN;
		if (!transfer) throw error;
		return await this.replace(transfer, error);
	}

	/** Replaces an upload that the service has dropped overnight, or of a file that has changed: once, and never one that the user named. */
	private async replace(transfer: Transfer, error: unknown): Promise<UploadResult | typeof ASK_AGAIN> {
		const { context, job, log, progress, reader, slot } = this;
		const { content, isSent, uploadId } = transfer.pending;
		const isGone = error instanceof UnknownUploadError;
		if (isGone && isSent) {
			const isOwn = progress.bytesSent > 0 || (content !== undefined && (await reader.matches(content)));
			const uploaded = this.acknowledge(transfer);
			if (isOwn) return this.finished(uploaded, true);
		}
		if (isGone) this.transfer = progress.offset = undefined;
		const isReplaced = isGone || error instanceof ContentMismatchError;
		// The offset may have risen.
		if (!isReplaced && progress.bytesSent > 0) await transfer.acknowledge().catch(() => {});
		if (!isReplaced || job.uploadId !== undefined || progress.replaced) throw error;
		log.write(`is replaced by a new one: ${error.reason}`);
		progress.replaced = { uploadId, reason: error.reason };
		// The next error is not about an upload that is gone or complete.
		if (isGone || progress.offset === job.file.size) progress.uploadId = progress.offset = undefined;
		this.putBack();
		this.openedAt = 0;
		this.recovery = new Recovery(context, log, slot);
		return ASK_AGAIN;
	}

	/** Puts an upload back, unless nothing but the user says that it is this file's: the ID of Resume may be mistyped. */
	private putBack(): void {
		if (!this.transfer) return;
		const { content, pending } = this.transfer;
		this.transfer = undefined;
		const isKnown = !pending.isForeign || pending.isSent || (content?.to ?? 0) > 0;
		if (isKnown) this.memory.put({ ...pending, content });
	}
}
