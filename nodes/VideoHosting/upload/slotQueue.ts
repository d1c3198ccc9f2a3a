import { TransferError } from '../sources/transferError';

/** The last in line for each application's upload slot; settled when the slot is free again. */
const queues = new Map<string, Promise<void>>();

/**
 * Waits until no other execution in this process uploads for the same application: the service accepts one upload at a
 * time. Executions enter in the order of their calls.
 *
 * @param application identifies it
 * @param waitMs longest wait, in milliseconds, a whole number
 * @returns a function that leaves the queue; must be called
 * @throws TransferError when the wait was too long; the signal's reason when it was aborted
 */
export async function enterSlotQueue(
	application: string,
	waitMs: number,
	signal?: AbortSignal,
): Promise<() => void> {
	const before = queues.get(application);
	let leave = () => {};
	const mine = new Promise<void>((resolve) => {
		leave = resolve;
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
		return leave;
	} finally {
		if (!isMine) leave();
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
				new TransferError(
					'Another upload of this n8n held the upload slot for longer than Max Wait: increase Max Wait in the options of this node',
					false,
				),
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
