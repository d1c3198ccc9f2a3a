import type { ContentDigest } from '../sources/contentDigest';
import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError } from '../sources/transfer';
import type { UploadJob } from './job';
import type { PendingUpload, UploadedVideo } from './memory';
import type { UploadState } from './tus/uploadRequests';

/**
 * Proves that the bytes of an upload at the service are the beginning of the file: the offset alone says how many bytes, not of
 * which file. Later changes of the file are noticed by the reader.
 */
export class ContentProof {
	/** Proven bytes, from byte 0; undefined before the first proof. */
	private to: number | undefined;

	constructor(
		private readonly job: UploadJob,
		private readonly reader: FileReader,
	) {}

	/** Notes that the file was sent up to an offset, in bytes; 0 for a new upload. */
	sent(to: number): void {
		this.to = Math.max(this.to ?? 0, to);
	}

	/**
	 * @throws ContentMismatchError when the upload must not be resumed with this file; TransferError when the file cannot be read
	 */
	async check({ length, offset }: UploadState, pending: PendingUpload): Promise<void> {
		const { size } = this.job.file;
		const uploadSize = length ?? pending.file.size;
		if (uploadSize !== size || offset > size)
			throw new ContentMismatchError(
				`the upload has ${Math.max(uploadSize, offset)} bytes, and this file ${size}`,
			);
		if (this.to === undefined) this.to = await this.compare(offset, pending.content);
		if (offset <= this.to) return;
		throw new ContentMismatchError(`the service has ${offset} bytes, of which n8n knows only ${this.to}`);
	}

	/** Whether an uploaded video has this file. */
	async isOf({ content }: UploadedVideo): Promise<boolean> {
		return content?.to === this.job.file.size && (await this.reader.matches(content));
	}

	/** Ends the proof, and returns the digest of what the upload has. */
	end({ content }: PendingUpload): ContentDigest | undefined {
		const digest = this.to !== undefined ? this.reader.digest : undefined;
		this.to = undefined;
		return digest ?? content;
	}

	private async compare(offset: number, content: ContentDigest | undefined): Promise<number> {
		// The ID of Resume is the user's assertion that the file is the same; a known digest must not contradict.
		const asserted = this.job.uploadId === undefined ? 0 : offset;
		if (!content || offset === 0) return asserted;
		if (await this.reader.matches(content)) return Math.max(asserted, content.to);
		throw new ContentMismatchError('the upload was started with other content');
	}
}
