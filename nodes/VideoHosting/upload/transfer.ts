import type { IExecuteFunctions } from 'n8n-workflow';

import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError, TransferError } from '../sources/transfer';
import { factsOf, isSlotBusy } from '../transport/errors';
import { cancelSignal, requestOnce } from '../transport/request';
import type { StreamedBody } from '../transport/serviceRequest';
import type { ContentProof } from './contentProof';
import type { UploadJob, UploadProgress } from './job';
import type { PendingUpload } from './memory';
import { Recovery } from './recovery';
import type { UploadSlot } from './slot';
import { sendRange } from './tus/requestBody';
import { transferFile, type FileRange, type TusRequests } from './tus/tusClient';
import { appendRequest, readState, UnknownUploadError, uploadOffsetOf } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';
import { firstName } from './videoNames';

/** What a transfer shares with the upload that it is a part of. */
export interface TransferParts {
	readonly job: UploadJob;
	readonly log: UploadLog;
	readonly progress: UploadProgress;
	readonly proof: ContentProof;
	readonly reader: FileReader;
	readonly slot: UploadSlot;
}

/** Sends a file to an upload, or the part that the service lacks, and continues after interruptions. For the holder of the lock. */
export class Transfer implements TusRequests {
	private readonly recovery: Recovery;

	/** Whether the service has accepted the last byte: it may drop the upload then. */
	private isAccepted = false;

	/** @param isNew whether the upload was created just now, so that its offset is known */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly parts: TransferParts,
		private readonly pending: PendingUpload,
		private isNew: boolean,
	) {
		this.recovery = new Recovery(context, parts.log, true);
	}

	/**
	 * Sends until the service has the whole file. Keeps the upload and its progress up to date, also when it throws.
	 *
	 * @throws UnknownUploadError when the service does not know the upload; ContentMismatchError when the file is another one; the
	 * error after the last try
	 */
	async run(): Promise<void> {
		const { job, progress } = this.parts;
		const sendAll = async () => {
			await transferFile(job.file.size, this, job.maxRequestBytes);
		};
		const failed = async (error: unknown) => {
			if (await this.isRetried(error)) return false;
			const isAnswered = error instanceof UnknownUploadError || error instanceof ContentMismatchError;
			// Read once more for the error: it may have risen.
			if (!isAnswered && progress.bytesSent > 0) await this.acknowledge().catch(() => {});
			throw error;
		};
		while (!(await sendAll().then(() => true, failed)));
	}

	/** HEAD, except right after the creation. Sends nothing before the bytes at the service are proven to be the file's. */
	async requestOffset(): Promise<number> {
		const { job, log, progress } = this.parts;
		const { size } = job.file;
		if (this.isNew) {
			this.isNew = false;
			return 0;
		}
		const offset = await this.acknowledge();
		if (offset === size) return offset;
		if (offset + progress.bytesSent > 0) progress.resumes++;
		if (offset > 0) log.write(`resumes at ${offset} of ${size} bytes`);
		return offset;
	}

	/** PATCH. Without an offset in the response, HEAD follows: the service may have stored less than it accepted. */
	async append(range: FileRange): Promise<number> {
		const { context, pending } = this;
		const { job, log, progress, proof, reader } = this.parts;
		// The folder of Resume, else the folder that the upload was created for.
		const { name, size, folder = pending.file.folder } = job.file;
		const file = { name: firstName(name, pending.mark), size, folder };
		const request = appendRequest(pending.uploadId, file, range);
		let to = range.start;
		const onAccepted = (bytes: number) => {
			to += bytes;
			progress.bytesSent += bytes;
			progress.offset = undefined;
			proof.sent(to);
			pending.isSent = to === size;
			log.progress(to);
		};
		const { bytesSent, offset: offsetBefore } = progress;
		const send = async (body: StreamedBody, signal: AbortSignal) =>
			await requestOnce(context, { ...request, body, signal });
		const response = await sendRange(reader, range, onAccepted, send).catch((error: unknown) => {
			const { outcome } = factsOf(error);
			if (outcome === 'rejected' || outcome === 'not sent') pending.isSent = false;
			if (outcome === 'not sent') Object.assign(progress, { bytesSent, offset: offsetBefore });
			throw error;
		});
		this.isAccepted = to === size;
		const offset = await this.acknowledge(uploadOffsetOf(response));
		pending.at = Date.now();
		if (offset > range.start) return offset;
		throw new TransferError('The service stored none of the bytes that were sent to it', true);
	}

	/** Reads the offset with HEAD unless a PATCH has reported it, and proves the bytes. */
	private async acknowledge(reported?: number): Promise<number> {
		const { context, isAccepted, pending } = this;
		const { progress, proof } = this.parts;
		const { size } = pending.file;
		const droppedSize = isAccepted ? size : undefined;
		const state =
			reported === undefined ? await readState(context, pending.uploadId, droppedSize) : { offset: reported };
		const { offset } = state;
		progress.offset = offset;
		await proof.check(state, pending);
		this.recovery.reached(offset);
		pending.offset = offset;
		if (offset < size) pending.isSent = false;
		return offset;
	}

	/** Waits for the next try, if there is one, with the lock held: n8n alone knows the digest of what was sent. */
	private async isRetried(error: unknown): Promise<boolean> {
		const { job, progress, reader, slot } = this.parts;
		cancelSignal(this.context)?.throwIfAborted();
		reader.close();
		if (isSlotBusy(error)) return await slot.waits(error, { longestMs: job.idleTimeoutMs });
		const { bytesSent, offset = 0 } = progress;
		const isFinal = error instanceof ContentMismatchError;
		return !isFinal && (await this.recovery.isRetried(error, offset + bytesSent > 0));
	}
}
