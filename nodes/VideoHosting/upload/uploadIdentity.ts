import type { IExecuteFunctions } from 'n8n-workflow';

import { cancelSignal } from '../transport/request';
import type { RangeReader } from '../sources/rangeReader';
import { withIdleTimeout } from '../sources/idleTimeout';
import { fileMismatchError, type UploadFile } from './tus/uploadRequests';
import type { UploadJob } from './uploadJob';
import { coveredBytes, type ContentEvidence } from '../sources/contentDigest';
import { ContentMismatchError } from '../sources/contentMismatchError';
import { UnfinishedUploads } from './unfinishedUploads';

const SPOILED_ADVICE =
	'No file can complete this upload. Upload the file with Upload → Upload, which creates a new one.';

/**
 * Which upload a file belongs to. The service's offset is the number of bytes that it has, not whose: an upload that this run did
 * not create is resumed only when what is known of the bytes already sent holds for the file at hand.
 */
export class UploadIdentity {
	private readonly rejected = new Set<string>();

	/** Whether an upload that this run created was rejected. Once is enough. */
	private isOwnRejected = false;

	/** Uploads that the service has reported as known in this run. */
	private readonly known = new Set<string>();

	private constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		private readonly file: UploadFile,
		private readonly reader: RangeReader,
		private readonly unfinished: UnfinishedUploads,
	) {}

	static async open(
		context: IExecuteFunctions,
		job: UploadJob,
		file: UploadFile,
		reader: RangeReader,
	): Promise<UploadIdentity> {
		return new UploadIdentity(context, job, file, reader, await UnfinishedUploads.open(context));
	}

	/** @returns ID of the upload to resume, if the service's offset and the content allow it; undefined to create one */
	candidate(): string | undefined {
		const { file, job, rejected, unfinished } = this;
		if (job.uploadId !== undefined || !job.resumeUnfinished) return job.uploadId;
		return unfinished.ofFile(file).find((upload) => !upload.isSpoiled && !rejected.has(upload.uploadId))
			?.uploadId;
	}

	/** Bytes of the file that an upload was created for, where that is remembered. */
	sizeOf(uploadId: string): number | undefined {
		return this.unfinished.find(uploadId)?.size;
	}

	/** The service has created this upload, or reports its offset. */
	setKnown(uploadId: string): void {
		this.known.add(uploadId);
	}

	/**
	 * @param offset that the service reports
	 * @throws ContentMismatchError when the upload must not be continued with this file; TransferError when it cannot be read
	 */
	async check(uploadId: string, offset: number): Promise<void> {
		const { job, reader, unfinished } = this;
		const sent = reader.digestedTo;
		if (sent !== undefined) {
			if (offset <= sent) return;
			throw new ContentMismatchError(
				`the service has ${offset} bytes of it, and only ${sent} were sent`,
				false,
			);
		}
		if (offset === 0) return;
		const { evidence, isSpoiled } = unfinished.find(uploadId) ?? { evidence: [], isSpoiled: false };
		if (isSpoiled) {
			throw new ContentMismatchError(
				'the file changed while it was uploaded, so the service has bytes of both versions',
				true,
			);
		}
		// With the ID, a user asserts that the file is the same; what is known of it must not contradict.
		if (uploadId !== job.uploadId && offset > coveredBytes(evidence)) {
			throw new ContentMismatchError(
				`the service has ${offset} bytes of it, and n8n cannot verify that they belong to this file`,
				false,
			);
		}
		if (evidence.length > 0 && !(await this.matches(evidence))) {
			throw new ContentMismatchError('it was started with a file of different content', false);
		}
	}

	/**
	 * Decides what follows on a mismatch.
	 *
	 * @returns the upload to resume instead; undefined to create one
	 * @throws what to report when no other upload may replace it
	 */
	reject(uploadId: string, mismatch: ContentMismatchError): string | undefined {
		const { context, file, job, reader, unfinished } = this;
		const isOwn = unfinished.find(uploadId) === undefined;
		if (this.known.has(uploadId) && (isOwn || mismatch.isSpoiled)) {
			unfinished.remember(file, uploadId, { ...this.evidence(), isSpoiled: mismatch.isSpoiled });
		}
		if (job.uploadId !== undefined) {
			const error = fileMismatchError(context, uploadId, mismatch.reason, job.itemIndex);
			if (mismatch.isSpoiled) error.description = SPOILED_ADVICE;
			throw error;
		}
		if (isOwn && this.isOwnRejected) throw mismatch;
		this.isOwnRejected ||= isOwn;
		this.rejected.add(uploadId);
		reader.restart();
		return this.candidate();
	}

	/** Remembers an upload in whose place this run creates a new one. */
	setAside(uploadId: string): void {
		this.leave(uploadId);
		this.rejected.add(uploadId);
		this.reader.restart();
	}

	/** Remembers an upload that ends unfinished. */
	leave(uploadId: string): void {
		if (this.known.has(uploadId)) this.unfinished.remember(this.file, uploadId, this.evidence());
	}

	/** Forgets an upload that is finished, or that the service no longer knows. */
	forget(uploadId: string): void {
		this.unfinished.forget(uploadId);
	}

	private evidence(): { evidence?: ContentEvidence[] } {
		const evidence = this.reader.evidence();
		return evidence.length > 0 && evidence.every(({ from }) => from === 0) ? { evidence } : {};
	}

	private async matches(evidence: readonly ContentEvidence[]): Promise<boolean> {
		const { context, job, reader } = this;
		const limits = { idleTimeoutMs: job.idleTimeoutMs, cancelled: cancelSignal(context) };
		return await withIdleTimeout(reader, limits, async (onRead) => await reader.matches(evidence, onRead));
	}
}
