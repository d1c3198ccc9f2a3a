import type { IExecuteFunctions } from 'n8n-workflow';

import { coveredBytes, type ContentChecksum } from '../sources/contentChecksum';
import type { RangeReader } from '../sources/rangeReader';
import { ContentMismatchError } from '../sources/transferErrors';
import { operationError } from '../transport/errors';
import type { Ledger } from './ledger';
import type { OpenEntry } from './ledgerEntry';
import { isSameFile } from './videoMatch';
import { otherSizeReason } from './tus/uploadRequests';
import { changesVideo, type UploadJob } from './uploadJob';

/** What to do when the file is not the one that the upload was started with: a retry does not help. */
export const FILE_MISMATCH_ADVICE = 'Use the same file that the upload was started with.';

const CORRUPT_ADVICE =
	'No file can complete this upload. Upload the file with Upload → Upload, which creates a new one.';

/**
 * Which upload a file belongs to. The service's offset is the number of bytes that it has, not whose: an upload that this run did
 * not create is resumed only when what is known of the bytes already sent holds for the file at hand.
 */
export class UploadIdentity {
	private readonly rejected = new Set<string>();

	/** Whether an upload that this run created was rejected. Once is enough. */
	private isOwnRejected = false;

	constructor(
		private readonly context: IExecuteFunctions,
		private readonly job: UploadJob,
		private readonly reader: RangeReader,
		private readonly ledger: Ledger,
	) {}

	/** The upload to resume, if the service's offset and the content allow it; undefined to create one. */
	candidate(): OpenEntry | undefined {
		const { file, resumeUnfinished } = this.job;
		if (!resumeUnfinished) return undefined;
		return this.ledger.all(
			(entry) =>
				entry.status === 'unfinished' &&
				!entry.busy &&
				!entry.isCorrupt &&
				!this.rejected.has(entry.uploadId) &&
				(entry.mark !== undefined) === changesVideo(this.job) &&
				isSameFile(entry.file, file),
		)[0];
	}

	/**
	 * An upload of this file with this title that is complete but for its title or thumbnail, so that it need not be sent again.
	 *
	 * @throws TransferError when the file cannot be read
	 */
	async completed(): Promise<OpenEntry | undefined> {
		const { file, planId, title } = this.job;
		if (!changesVideo(this.job)) return undefined;
		const candidates = this.ledger.all(
			(entry) =>
				entry.status === 'complete' &&
				!entry.busy &&
				entry.title === title &&
				entry.planId === planId &&
				isSameFile(entry.file, file) &&
				coveredBytes(entry.checksums) === file.size,
		);
		for (const entry of candidates) {
			if ((await this.reader.matches(entry.checksums)) && !entry.busy) return entry;
		}
		return undefined;
	}

	/**
	 * @param offset that the service reports
	 * @throws ContentMismatchError when the upload must not be continued with this file; TransferError when it cannot be read
	 */
	async check(uploadId: string, offset: number): Promise<void> {
		const { job, ledger, reader } = this;
		const known = ledger.find(uploadId);
		// The service need not report what size an upload was created with.
		if (known && known.file.size !== job.file.size) {
			const reason = otherSizeReason(`is for a file of ${known.file.size} bytes`, job.file.size);
			throw new ContentMismatchError(reason);
		}
		const sent = reader.digestedTo;
		if (sent !== undefined) {
			if (offset <= sent) return;
			throw new ContentMismatchError(`the service has ${offset} bytes of it, and only ${sent} were sent`);
		}
		if (offset === 0) return;
		const { checksums, isCorrupt } = known ?? { checksums: [], isCorrupt: false };
		if (isCorrupt) {
			throw new ContentMismatchError(
				'the file changed while it was uploaded, so the service has bytes of both versions',
				true,
			);
		}
		// With the ID, a user asserts that the file is the same; what is known of it must not contradict.
		if (uploadId !== job.uploadId && offset > coveredBytes(checksums)) {
			throw new ContentMismatchError(
				`the service has ${offset} bytes of it, and n8n cannot verify that they belong to this file`,
			);
		}
		if (checksums.length > 0 && !(await reader.matches(checksums))) {
			throw new ContentMismatchError('it was started with a file of different content');
		}
	}

	/**
	 * Decides what follows on a mismatch.
	 *
	 * @returns the upload to resume instead; undefined to create one
	 * @throws what to report when no other upload may replace it
	 */
	reject(uploadId: string, mismatch: ContentMismatchError, isOwn: boolean): OpenEntry | undefined {
		const { context, job } = this;
		if (job.uploadId !== undefined) {
			const message = `The file does not belong to upload ${uploadId}: ${mismatch.reason}`;
			const description = mismatch.isCorrupt ? CORRUPT_ADVICE : FILE_MISMATCH_ADVICE;
			throw operationError(context, message, description);
		}
		if (isOwn && this.isOwnRejected) throw mismatch;
		this.isOwnRejected ||= isOwn;
		this.exclude(uploadId);
		return this.candidate();
	}

	/** Leaves an upload aside from which this run does not continue. */
	exclude(uploadId: string): void {
		this.rejected.add(uploadId);
	}

	/** What is known of the bytes that were sent from the first one on; undefined when that is nothing. */
	checksums(): ContentChecksum[] | undefined {
		const checksums = this.reader.checksums();
		return checksums.length > 0 && checksums.every(({ from }) => from === 0) ? checksums : undefined;
	}
}
