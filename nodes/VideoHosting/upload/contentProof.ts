import type { ContentDigest } from '../sources/contentDigest';
import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError } from '../sources/transfer';
import type { UploadJob } from './job';
import type { UploadRecord } from './memory';
import type { UploadState } from './tus/uploadRequests';

export const OTHER_CONTENT = 'the upload was started with other content';

/**
 * Proves that the bytes of an upload at the service are the beginning of the file: the offset alone says how many bytes, not of
 * which file. Later changes of the file are noticed by the reader.
 */
export class ContentProof {
	/** Proven bytes, from byte 0; undefined before the first proof. */
	private to: number | undefined;

	/** Complete uploads of other files. */
	private readonly others = new Set<UploadRecord>();

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
	async check({ length, offset }: UploadState, record: UploadRecord | undefined): Promise<void> {
		const { size } = this.job.file;
		// Of an unfinished foreign upload, only what the user stated is known.
		const isStated = record?.isForeign === true && record.status === 'unfinished';
		const uploadSize = length ?? (isStated ? size : record?.file.size) ?? size;
		if (uploadSize !== size || offset > size)
			throw new ContentMismatchError(
				`the upload has ${Math.max(uploadSize, offset)} bytes, and this file ${size}`,
			);
		if (this.to === undefined) this.to = await this.compare(offset, record?.content);
		if (offset <= this.to) return;
		throw new ContentMismatchError(`the service has ${offset} bytes, of which n8n knows only ${this.to}`);
	}

	/** Whether a complete upload has this file; a difference is cached. */
	async isOf(record: UploadRecord): Promise<boolean> {
		const { job, others, reader } = this;
		if (others.has(record)) return false;
		const { content } = record;
		const isSame = content?.to === job.file.size && (await reader.matches(content));
		if (!isSame) others.add(record);
		return isSame;
	}

	/** Ends the proof, and returns the digest of what the upload has. */
	end(record: UploadRecord): ContentDigest | undefined {
		const content = this.to === undefined ? undefined : this.reader.digest;
		this.to = undefined;
		return content ?? record.content;
	}

	private async compare(offset: number, content: ContentDigest | undefined): Promise<number> {
		// The ID of Resume is the user's assertion that the file is the same; a known digest must not contradict.
		const asserted = this.job.uploadId === undefined ? 0 : offset;
		if (!content || offset === 0) return asserted;
		if (await this.reader.matches(content)) return Math.max(asserted, content.to);
		throw new ContentMismatchError(OTHER_CONTENT);
	}
}
