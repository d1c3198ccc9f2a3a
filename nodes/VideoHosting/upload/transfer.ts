import type { IExecuteFunctions } from 'n8n-workflow';

import type { ContentDigest } from '../sources/contentDigest';
import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError, TransferError } from '../sources/transfer';
import { outcomeOf } from '../transport/errorMeaning';
import { requestOnce } from '../transport/request';
import type { StreamedBody } from '../transport/serviceRequest';
import type { UploadJob, UploadProgress } from './job';
import type { PendingUpload } from './memory';
import { sendRange } from './tus/requestBody';
import type { FileRange, TusRequests } from './tus/tusClient';
import { appendRequest, readState, stateIn, UnknownUploadError } from './tus/uploadRequests';
import type { UploadState } from './tus/uploadRequests';
import type { UploadLog } from './uploadLog';
import { firstName } from './videoNames';

/** What a transfer shares with the upload that it is a part of. */
interface TransferParts {
	readonly job: UploadJob;
	readonly log: UploadLog;
	readonly progress: UploadProgress;
	readonly reader: FileReader;
}

/**
 * Sends a file to an upload, or the part that the service lacks, by `transferFile`, which may be repeated after an error. Keeps the
 * upload and its progress up to date, also when it throws: UnknownUploadError when the service does not know the upload,
 * ContentMismatchError when the file is another one. For the holder of the lock.
 *
 * Nothing is sent before the bytes at the service are proven to be the beginning of the file: the offset alone says how many bytes, not
 * of which file. Later changes of the file are noticed by the reader.
 */
export class Transfer implements TusRequests {
	/** Proven bytes, from byte 0; undefined before the first proof. */
	private proven: number | undefined;

	/** Whether the service has accepted the last byte: it may drop the upload then. */
	private isAccepted = false;

	/** @param isNew whether the upload was created just now, so that its offset is known */
	constructor(
		private readonly context: IExecuteFunctions,
		private readonly parts: TransferParts,
		readonly pending: PendingUpload,
		private isNew: boolean,
	) {
		if (isNew) this.proven = 0;
	}

	/** Digest of the bytes that the upload has; it ends there. */
	get content(): ContentDigest | undefined {
		return (this.proven === undefined ? undefined : this.parts.reader.digest) ?? this.pending.content;
	}

	/** HEAD, except right after the creation. */
	async requestOffset(): Promise<number> {
		const { job, log, progress } = this.parts;
		const { size } = job.file;
		if (this.isNew) {
			this.isNew = false;
			return 0;
		}
		const offset = await this.acknowledge();
		if (offset < size && offset + progress.bytesSent > 0) {
			progress.resumes++;
			log.write(`resumes at ${offset} of ${size} bytes`);
		}
		return offset;
	}

	/** PATCH. Without an offset in the response, HEAD follows: the service may have stored less than it accepted. */
	async append(range: FileRange): Promise<number> {
		const { context, pending } = this;
		const { job, log, progress, reader } = this.parts;
		// The folder of Resume, else the folder that the upload was created for.
		const { name, size, folder = pending.file.folder } = job.file;
		const file = { name: firstName(name, pending.mark), size, folder };
		const request = appendRequest(pending.uploadId, file, range);
		let to = range.start;
		const onAccepted = (bytes: number) => {
			to += bytes;
			progress.bytesSent += bytes;
			progress.offset = undefined;
			this.proven = Math.max(this.proven ?? 0, to);
			pending.isSent = to === size;
			log.progress(to);
		};
		const { bytesSent, offset: offsetBefore } = progress;
		const send = async (body: StreamedBody, signal: AbortSignal) =>
			await requestOnce(context, { ...request, body, signal });
		const response = await sendRange(reader, range, onAccepted, send).catch((error: unknown) => {
			const outcome = outcomeOf(error);
			if (outcome === 'rejected' || outcome === 'not sent') pending.isSent = false;
			if (outcome === 'not sent') Object.assign(progress, { bytesSent, offset: offsetBefore });
			throw error;
		});
		this.isAccepted = to === size;
		const offset = await this.acknowledge(stateIn(response).offset);
		if (offset > range.start) return offset;
		throw new TransferError('The service stored none of the bytes that were sent to it', true);
	}

	/** Reads the offset with HEAD unless a PATCH has reported a possible one, and proves the bytes. */
	async acknowledge(reported?: number): Promise<number> {
		const { context, isAccepted, pending } = this;
		const { job, progress } = this.parts;
		const { size } = job.file;
		const read = async () =>
			await readState(context, pending.uploadId).catch((error: unknown) => {
				if (isAccepted && error instanceof UnknownUploadError) return { offset: size };
				throw error;
			});
		const state = reported === undefined || reported > size ? await read() : { offset: reported };
		const { offset } = state;
		// Also of another file: an upload that is replaced may block the new one.
		progress.offset = pending.offset = offset;
		await this.prove(state);
		if (offset < size) pending.isSent = this.isAccepted = false;
		return offset;
	}

	/** @throws ContentMismatchError, such as when another program has sent bytes to this upload meanwhile */
	private async prove({ length, offset }: UploadState): Promise<void> {
		const { size } = this.parts.job.file;
		const uploadSize = length ?? this.pending.file.size;
		if (uploadSize !== size || offset > size)
			throw new ContentMismatchError(
				`the upload has ${Math.max(uploadSize, offset)} bytes, and this file ${size}`,
			);
		this.proven ??= await this.compare(offset);
		if (offset <= this.proven) return;
		throw new ContentMismatchError(`the service has ${offset} bytes, of which n8n knows only ${this.proven}`);
	}

	/** @returns how many bytes are the file's */
	private async compare(offset: number): Promise<number> {
		const { job, reader } = this.parts;
		const { content } = this.pending;
		// The ID of Resume is the user's assertion that the file is the same; a known digest must not contradict.
		const asserted = job.uploadId === undefined ? 0 : offset;
		if (!content || offset === 0) return asserted;
		if (await reader.matches(content)) return Math.max(asserted, content.to);
		throw new ContentMismatchError('the upload was started with other content');
	}
}
