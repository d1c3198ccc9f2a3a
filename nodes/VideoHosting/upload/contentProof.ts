import type { ContentDigest } from '../sources/contentDigest';
import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError } from '../sources/transferErrors';
import type { UploadJob } from './job';
import type { UploadRecord } from './memory';
import type { UploadState } from './tus/uploadState';

/**
 * How far the bytes that the service has of an upload are known to be the file's. The service's offset is how many it has, not
 * whose: an upload is resumed only when they are proven to be the beginning of the file. Whether the file stays the same
 * afterwards, the reader sees.
 */
export class ContentProof {
	/** Bytes; undefined before anything is known. */
	private to: number | undefined;

	/** Complete uploads of other files. */
	private readonly others = new Set<UploadRecord>();

	constructor(
		private readonly job: UploadJob,
		private readonly reader: FileReader,
	) {}

	/** The file was sent up to an offset, in bytes; 0 for an upload that was just created. */
	sent(to: number): void {
		this.to = Math.max(this.to ?? 0, to);
	}

	/**
	 * @throws ContentMismatchError when the upload must not be resumed with this file; TransferError when the file cannot be read
	 */
	async check({ length, offset }: UploadState, record: UploadRecord | undefined): Promise<void> {
		const { size } = this.job.file;
		const uploadSize = length ?? record?.file.size ?? size;
		if (uploadSize !== size || offset > size)
			throw new ContentMismatchError(
				`the upload has ${Math.max(uploadSize, offset)} bytes, and this file ${size}`,
			);
		if (this.to === undefined) this.to = await this.compare(offset, record?.content);
		if (offset <= this.to) return;
		throw new ContentMismatchError(`the service has ${offset} bytes, of which n8n knows only ${this.to}`);
	}

	/** Whether a complete upload has this file. It is compared once. */
	async isOf(record: UploadRecord): Promise<boolean> {
		const { job, others, reader } = this;
		if (others.has(record)) return false;
		const { content } = record;
		const isSame = content?.to === job.file.size && (await reader.matches(content));
		if (!isSame) others.add(record);
		return isSame;
	}

	/** What is known of the upload's bytes, once nothing more is sent; it ends the proof. */
	end(record: UploadRecord): ContentDigest | undefined {
		const content = this.to === undefined ? undefined : this.reader.digest;
		this.to = undefined;
		return content ?? record.content;
	}

	private async compare(offset: number, content: ContentDigest | undefined): Promise<number> {
		// With the ID, a user asserts that the file is the same; what is known of it must not contradict.
		const asserted = this.job.uploadId === undefined ? 0 : offset;
		if (!content || offset === 0) return asserted;
		if (await this.reader.matches(content)) return Math.max(asserted, content.to);
		throw new ContentMismatchError('the upload was started with other content');
	}
}
