import type { IExecuteFunctions } from 'n8n-workflow';

import { quoted } from '../parameters/values';
import { formatBytes, shortened } from '../shared/text';

/** A line after each tenth of a file, and at least each minute. Of a small file the beginning and the end are enough. */
const STEP = { part: 0.1, leastBytes: 10_000_000, mostMs: 60_000 };

/**
 * Reports one upload in n8n's log at the level info and, in a manual run, in the console of the browser. At that level, n8n prints
 * the message alone (@n8n/backend-common 2.41.1 dist/logging/logger.js), so the message contains all figures.
 */
export class UploadLog {
	private logged = { offset: 0, at: performance.now() };

	/** @param state has the ID that the lines contain, once there is one */
	constructor(
		private readonly context: Pick<IExecuteFunctions, 'logger' | 'sendMessageToUI'>,
		private readonly file: { name: string; size: number },
		private readonly state: { readonly uploadId: string | undefined },
	) {}

	/** @param event what happened, as the rest of a sentence whose subject is the upload */
	write(event: string): void {
		const { context, file, state } = this;
		const id = state.uploadId === undefined ? '' : ` (${state.uploadId})`;
		// A file name from outside must not begin a line of its own.
		const line = `Upload of ${quoted(file.name)}${id} ${event}`.replace(/\p{Cc}+/gu, ' ');
		context.logger.info(line, {
			uploadId: state.uploadId,
			fileName: shortened(file.name, 300),
			size: file.size,
		});
		// n8n does so in a manual run alone.
		context.sendMessageToUI(line);
	}

	/** @param offset up to which the file is sent, in bytes */
	progress(offset: number): void {
		const { size } = this.file;
		const bytes = offset - this.logged.offset;
		const isStep = bytes >= Math.max(size * STEP.part, STEP.leastBytes);
		if (offset >= size || !(isStep || performance.now() - this.logged.at >= STEP.mostMs)) return;
		this.logged = { offset, at: performance.now() };
		this.write(
			`is at ${Math.floor((offset / size) * 100)} %, ${formatBytes(offset)} of ${formatBytes(size)}`,
		);
	}
}
