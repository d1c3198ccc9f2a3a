import { errorMessage, excerpt } from '../shared/text';
import { anySignal, raceSignal } from '../shared/waiting';

/** An error of the transfer itself: there is no response of the service to show. */
export class TransferError extends Error {
	/**
	 * @param message what happened
	 * @param isTransient whether a repetition can help
	 * @param description what to do about it
	 */
	constructor(
		message: string,
		readonly isTransient = false,
		readonly description = '',
	) {
		super(message);
	}
}

const RUN_AGAIN = 'Run this again. If it fails each time, download the file first.';

/** A file that is not proven to be the one that was read, or sent, before: it was exported again under the same name. */
export class ContentMismatchError extends TransferError {
	/** @param reason why, as a clause */
	constructor(readonly reason: string) {
		super(`The file does not match: ${reason}`, true, RUN_AGAIN);
	}
}

/** Wraps what a source threw while it was read in a transient error. */
export function toReadError(error: unknown): TransferError {
	if (error instanceof TransferError) return error;
	const message = `The file could not be read completely (${excerpt(errorMessage(error))})`;
	return new TransferError(message, true, 'Try again later.');
}

/** What ends the reading or sending of a source early. */
export interface SourceLimits {
	/** Longest time without a moving byte, in milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Aborted when the execution is cancelled. */
	cancelled: AbortSignal | undefined;
}

/**
 * Works with a source until it is idle or the execution is cancelled; the caller closes it then. A server that is unplugged sends
 * neither a byte nor an error. Any chunk counts as a move, also
 * a skipped or compared chunk. The timeout of n8n's HTTP client does not fit: with redirects off, axios 1.18 runs it from the start
 * of the request to the response, however busy the connection is (lib/adapters/http.js, connectPhaseTimer).
 *
 * @param work calls `onMoved` after each chunk; the signal ends its requests; what it does after that has no effect
 * @param idle the beginning of the error's sentence
 * @throws the cancel signal's reason; TransferError when the source stood still; what `work` throws
 */
export async function withIdleTimeout<T>(
	{ idleTimeoutMs, cancelled }: SourceLimits,
	work: (onMoved: () => void, signal: AbortSignal) => Promise<T>,
	idle = 'The source of the file was idle for',
): Promise<T> {
	cancelled?.throwIfAborted();
	const timer = new AbortController();
	const ended = anySignal(timer.signal, cancelled);
	// The system's clock may be set.
	let lastMove = performance.now();
	const look = () => {
		// A timer accepts whole numbers.
		const leftMs = Math.ceil(lastMove + idleTimeoutMs - performance.now());
		if (leftMs > 0) AbortSignal.timeout(leftMs).addEventListener('abort', look);
		else {
			const message = `${idle} ${idleTimeoutMs / 1000} seconds, so it was closed`;
			timer.abort(new TransferError(message, true, 'Try again later.'));
		}
	};
	look();
	const onMoved = () => {
		ended.throwIfAborted();
		lastMove = performance.now();
	};
	// Not every source ends its read when it is closed.
	return await raceSignal(work(onMoved, timer.signal), ended);
}
