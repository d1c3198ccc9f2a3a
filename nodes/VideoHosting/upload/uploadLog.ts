import type { IExecuteFunctions } from 'n8n-workflow';

import { formatBytes } from '../shared/formatBytes';

/**
 * When progress is reported: after a part of the file, or after a time, and not more often than once in `leastMs`. Of a small
 * file the beginning and the end are enough.
 */
const LOG_STEPS = { percent: 10, leastBytes: 10_000_000, leastMs: 0, mostMs: 60_000 };
const CONSOLE_STEPS: typeof LOG_STEPS = { percent: 5, leastBytes: 0, leastMs: 1_000, mostMs: 15_000 };

/**
 * Reports one upload in n8n's log, at the level info: its start, its progress, each wait and each resume, and its end. n8n prints
 * nothing but the message at that level (@n8n/backend-common 2.41.1 dist/logging/logger.js), so all figures are part of it. In a
 * manual run, the console of the browser shows the progress as well.
 */
export class UploadLog {
	private readonly logged: Progress;

	private readonly shown: Progress | undefined;

	/** @param state has the ID that the lines contain, once there is one */
	constructor(
		private readonly context: Pick<IExecuteFunctions, 'logger' | 'getMode' | 'sendMessageToUI'>,
		private readonly file: { name: string; size: number },
		private readonly state: { uploadId: string | undefined },
		now: () => number = performance.now.bind(performance),
	) {
		this.logged = new Progress(file.size, LOG_STEPS, now);
		if (context.getMode() === 'manual') this.shown = new Progress(file.size, CONSOLE_STEPS, now);
	}

	/**
	 * Writes one line.
	 *
	 * @param event what happened, as the rest of a sentence whose subject is the upload
	 */
	write(event: string): void {
		const { file } = this;
		const { uploadId } = this.state;
		const id = uploadId === undefined ? '' : ` (${uploadId})`;
		this.context.logger.info(oneLine(`Upload of "${file.name}"${id} ${withoutAddresses(event)}`), {
			uploadId,
			fileName: file.name,
			size: file.size,
		});
	}

	/** The upload begins at an offset, in bytes: the next report is due one step behind it. */
	startAt(offset: number): void {
		this.logged.startAt(offset);
		this.shown?.startAt(offset);
	}

	/** @param offset up to which the file is sent, in bytes */
	progress(offset: number): void {
		const { name, size } = this.file;
		const line = offset < size ? this.logged.due(offset) : undefined;
		if (line !== undefined) this.write(`is at ${line}`);
		const message = this.shown?.due(offset);
		if (message !== undefined) this.context.sendMessageToUI(`Upload of ${name}: ${message}`);
	}
}

class Progress {
	private last: { offset: number; at: number };

	constructor(
		private readonly size: number,
		private readonly steps: typeof LOG_STEPS,
		private readonly now: () => number,
	) {
		this.last = { offset: 0, at: now() };
	}

	startAt(offset: number): void {
		this.last = { offset, at: this.now() };
	}

	/** @returns percent, bytes, speed and time left, when a report is due */
	due(offset: number): string | undefined {
		const { last, size } = this;
		const { leastBytes, leastMs, mostMs, percent } = this.steps;
		const bytes = offset - last.offset;
		const ms = this.now() - last.at;
		const isStep = bytes >= Math.max(leastBytes, (size * percent) / 100);
		const isEnd = offset >= size && bytes > 0;
		if (!isEnd && !(ms >= leastMs && (isStep || ms >= mostMs))) return undefined;
		this.startAt(offset);
		const perSecond = bytes > 0 && ms > 0 ? (bytes * 1000) / ms : undefined;
		return [
			`${Math.floor((offset / size) * 100)} %`,
			`${formatBytes(offset)} of ${formatBytes(size)}`,
			...(perSecond === undefined
				? []
				: [`${formatBytes(perSecond)}/s`, `${readableTime((size - offset) / perSecond)} left`]),
		].join(', ');
	}
}

/** Whole seconds, minutes and seconds, or hours and minutes: 1 min 35 s. */
function readableTime(seconds: number): string {
	const whole = Math.ceil(seconds);
	if (whole < 60) return `${whole} s`;
	if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
	return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
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
