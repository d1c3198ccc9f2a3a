import { TransferError } from './transferErrors';
import { IdleTimer } from '../shared/idleTimer';

/** When reading a source ends before its time. */
export interface SourceLimits {
	/** The source may stand still for so many milliseconds; a whole number from 1. */
	idleTimeoutMs: number;
	/** Aborted when the execution is cancelled. */
	cancelled: AbortSignal | undefined;
}

/**
 * Reads from a source while no request waits for its bytes: any chunk counts as movement, also one that is only skipped or
 * compared. A source that stands still is closed, and so is one whose execution is cancelled.
 *
 * @param read calls `onRead` after each chunk; what it does after that has thrown has no effect
 * @throws the cancel signal's reason; TransferError when the source stood still; what `read` throws
 */
export async function withIdleTimeout<T>(
	source: { close(): void },
	{ idleTimeoutMs, cancelled }: SourceLimits,
	read: (onRead: () => void) => Promise<T>,
): Promise<T> {
	cancelled?.throwIfAborted();
	const timer = new IdleTimer(idleTimeoutMs);
	const ended = AbortSignal.any([timer.signal, ...(cancelled ? [cancelled] : [])]);
	const stop = new AbortController();
	const end = () =>
		cancelled?.aborted === true ? (cancelled.reason as Error) : idleSourceError(idleTimeoutMs);
	const aborted = new Promise<never>((_resolve, reject) => {
		const onEnd = () => {
			// Not every source ends its read when it is closed.
			reject(end());
			source.close();
		};
		ended.addEventListener('abort', onEnd, { once: true, signal: stop.signal });
	});
	const onRead = () => {
		if (ended.aborted) throw end();
		timer.reset();
	};
	try {
		return await Promise.race([read(onRead), aborted]);
	} finally {
		timer.stop();
		stop.abort();
	}
}

function idleSourceError(idleTimeoutMs: number): TransferError {
	return new TransferError(
		`The source of the file was idle for ${idleTimeoutMs / 1000} seconds, so it was closed`,
		true,
	);
}
