import type { IExecuteFunctions } from 'n8n-workflow';

import { formatBytes } from '../shared/formatBytes';
import { readableTime } from './progress';
import type { UploadFile } from './tus/uploadRequests';

const STEP_PERCENT = 10;
/** Of a small file the beginning and the end are enough. */
const SHORTEST_STEP_BYTES = 10_000_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * The lines of one upload in n8n's log, at the level info: the start, every 10 % (of a file below 100 MB every 10 MB) or
 * 60 seconds, each wait and each resume, and the end. n8n prints nothing but the message at that level
 * (@n8n/backend-common 2.41.1 dist/logging/logger.js), so all figures are part of it.
 */
export class UploadLog {
	private last: { offset: number; at: number } | undefined;

	private uploadId: string | undefined;

	private readonly stepBytes: number;

	constructor(
		private readonly context: Pick<IExecuteFunctions, 'logger'>,
		private readonly file: UploadFile,
		private readonly now: () => number = Date.now,
	) {
		this.stepBytes = Math.max(SHORTEST_STEP_BYTES, (file.size * STEP_PERCENT) / 100);
	}

	/** Sets the ID that the following lines contain. */
	setUploadId(uploadId: string | undefined): void {
		this.uploadId = uploadId;
	}

	/**
	 * Writes one line.
	 *
	 * @param event what happened, as the rest of a sentence whose subject is the upload
	 */
	write(event: string): void {
		const { file, uploadId } = this;
		const id = uploadId === undefined ? '' : ` (${uploadId})`;
		this.context.logger.info(oneLine(`Upload of "${file.fileName}"${id} ${withoutAddresses(event)}`), {
			uploadId,
			fileName: file.fileName,
			size: file.size,
		});
	}

	/** Writes a line when enough has been sent, or enough time has passed, since the last one. */
	progress(offset: number): void {
		const at = this.now();
		const last = (this.last ??= { offset, at });
		const bytes = offset - last.offset;
		const ms = at - last.at;
		if (offset >= this.file.size || (bytes < this.stepBytes && ms < LONGEST_PAUSE_MS)) return;
		this.last = { offset, at };
		const { size } = this.file;
		const bytesPerSecond = bytes > 0 && ms > 0 ? (bytes * 1000) / ms : 0;
		this.write(
			[
				`is at ${Math.floor((offset / size) * 100)} %`,
				`${formatBytes(offset)} of ${formatBytes(size)}`,
				...(bytesPerSecond > 0
					? [`${formatBytes(bytesPerSecond)}/s`, `${readableTime((size - offset) / bytesPerSecond)} left`]
					: []),
			].join(', '),
		);
	}

	/** After an interruption the next line is due one step behind the offset that is resumed at. */
	resumeAt(offset: number): void {
		this.last = { offset, at: this.now() };
	}
}

/** A web address may be signed: only its host is written. */
function withoutAddresses(text: string): string {
	return text.replace(/\b(https?:\/\/)[^\s"'<>]+/gi, (address, scheme: string) =>
		URL.canParse(address) ? `${scheme}${new URL(address).host}/…` : `${scheme}…`,
	);
}

/** A file name from outside must not begin a line of its own. */
function oneLine(text: string): string {
	return text.replace(/\p{Cc}+/gu, ' ');
}
