import type { KnownContent } from '../sources/contentDigest';
import type { FileReader } from '../sources/fileReader';
import { ContentMismatchError } from '../sources/transferErrors';
import type { UploadJob } from './job';
import type { UploadRecord } from './memory';
import type { UploadState } from './tus/uploadState';

/**
 * How far the bytes that the service has of an upload are known to be the file's. The service's offset is how many it has, not
 * whose: an upload is resumed only when they are proven to be the beginning of the file.
 */
export class ContentProof {
	/** Bytes; undefined before anything is known. */
	private to: number | undefined;

	constructor(
		private readonly job: UploadJob,
		private readonly reader: FileReader,
	) {}

	/** The upload that follows is new. */
	begin(): void {
		this.to = 0;
	}

	/** The upload that follows is not known here. */
	forget(): void {
		this.to = undefined;
	}

	/** The file was sent up to an offset, in bytes. */
	sent(to: number): void {
		this.to = Math.max(this.to ?? 0, to);
	}

	/** What is known of the upload's bytes; undefined when that is nothing new. */
	get content(): KnownContent | undefined {
		return this.to === undefined ? undefined : this.reader.content;
	}

	/**
	 * @throws ContentMismatchError when the upload must not be resumed with this file; TransferError when the file cannot be read
	 */
	async check({ length, offset }: UploadState, record: UploadRecord | undefined): Promise<void> {
		const { job, reader } = this;
		const { size } = job.file;
		const uploadSize = Math.max(offset, length ?? record?.file.size ?? 0);
		if (offset > size || (uploadSize > offset && uploadSize !== size))
			throw new ContentMismatchError(`it is for a file of ${uploadSize} bytes, and this one has ${size}`);
		const isSent = this.to !== undefined;
		const content = isSent ? reader.content : record?.content;
		// What this run has sent of a source that cannot change needs no second look.
		const mustCompare = content && offset > 0 && !(isSent && job.source.isImmutable);
		if (mustCompare && !(await reader.matches(content)))
			throw new ContentMismatchError(isSent ? 'the file has changed' : 'it was started with other content');
		// With the ID, a user asserts that the file is the same; what is known of it must not contradict.
		const to = Math.max(this.to ?? (job.uploadId === undefined ? 0 : offset), content?.to ?? 0);
		if (offset > to)
			throw new ContentMismatchError(
				`only ${to} of the ${offset} bytes that it has are known to be of this file`,
			);
		this.to = to;
	}
}
