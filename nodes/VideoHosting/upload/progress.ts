import type { IExecuteFunctions } from 'n8n-workflow';

import { formatBytes } from '../shared/formatBytes';

const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
const STEP_PERCENT = 5;

/**
 * Reports the progress of an upload to the editor's console in a manual run: percent, speed and time left, at every 5 % or 15
 * seconds, but not more than once a second.
 *
 * @param size bytes of the file
 * @returns what is called with the bytes of the file that are sent
 */
export function createProgressReporter(
	context: IExecuteFunctions,
	fileName: string,
	size: number,
	now: () => number = Date.now,
): (offset: number) => void {
	if (context.getMode() !== 'manual' || size === 0) return () => {};
	let first: { offset: number; at: number } | undefined;
	let reported = { offset: -Infinity, at: -Infinity };
	return (offset) => {
		const at = now();
		first ??= { offset, at };
		const sinceMs = at - reported.at;
		const isStep = offset - reported.offset >= (size * STEP_PERCENT) / 100;
		const isDue = offset >= size || (sinceMs >= SHORTEST_PAUSE_MS && (isStep || sinceMs >= LONGEST_PAUSE_MS));
		if (!isDue || offset === reported.offset) return;
		reported = { offset, at };
		context.sendMessageToUI(
			[
				`Upload of ${fileName}: ${Math.floor((offset / size) * 100)} %`,
				`${formatBytes(offset)} of ${formatBytes(size)}`,
				...speed(offset - first.offset, at - first.at, size - offset),
			].join(', '),
		);
	};
}

function speed(bytes: number, ms: number, left: number): string[] {
	if (bytes <= 0 || ms <= 0) return [];
	const perSecond = (bytes * 1000) / ms;
	return [`${formatBytes(perSecond)}/s`, `${readableTime(left / perSecond)} left`];
}

/** Whole seconds, minutes and seconds, or hours and minutes: 1 min 35 s. */
export function readableTime(seconds: number): string {
	const whole = Math.ceil(seconds);
	if (whole < 60) return `${whole} s`;
	if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
	return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
