import { TransferError } from './transferError';

/** The last in line for each application's upload slot; settled when the slot is free again. */
const queues = new Map<string, Promise<void>>();

/**
 * Waits until no other execution in this process uploads for the same application, which the service allows one upload
 * at a time (Limits 1). Uploads are let in in the order in which they asked.
 *
 * @param application what identifies it
 * @param waitMs longest wait, in milliseconds
 * @returns what gives the slot back; must be called
 * @throws TransferFault when the wait was too long; the signal's reason when it was aborted
 */
export async function acquireUploadSlot(
	application: string,
	waitMs: number,
	signal?: AbortSignal,
): Promise<() => void> {
	const before = queues.get(application);
	let giveBack = () => {};
	const mine = new Promise<void>((resolve) => {
		giveBack = resolve;
	});
	const line = (before ?? Promise.resolve()).then(async () => {
		await mine;
	});
	queues.set(application, line);
	void line.then(() => {
		if (queues.get(application) === line) queues.delete(application);
	});
	let isMine = false;
	try {
		if (before) await waitForTurn(before, waitMs, signal);
		isMine = true;
		return giveBack;
	} finally {
		if (!isMine) giveBack();
	}
}

async function waitForTurn(turn: Promise<void>, waitMs: number, cancelled?: AbortSignal): Promise<void> {
	cancelled?.throwIfAborted();
	const expired = AbortSignal.timeout(waitMs);
	const stop = new AbortController();
	const over = new Promise<never>((_resolve, reject) => {
		const options = { once: true, signal: stop.signal };
		const onCancel = () => {
			reject(cancelled?.reason as Error);
		};
		const onExpiry = () => {
			reject(
				new TransferError('Another upload of this n8n kept the upload slot for longer than Max Wait', false),
			);
		};
		cancelled?.addEventListener('abort', onCancel, options);
		expired.addEventListener('abort', onExpiry, options);
	});
	try {
		await Promise.race([turn, over]);
	} finally {
		stop.abort();
	}
}
