import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { fingerprint } from '../changes/fingerprint';

/** How long n8n may take to write down the memory of a poll that has emitted. */
const SAVE_GRACE_MS = 10_000;

interface PollRun {
	/** Fingerprint of the memory that the poll started from. */
	from: string;
	/** When the poll handed its items to n8n, in milliseconds since the epoch; undefined while it is running. */
	returnedAt?: number;
}

/** The last poll of each node in this process. */
const lastPolls = new Map<string, PollRun>();

/**
 * Runs a poll, unless another one of the same node is under way from the same memory or has just told what changed since:
 * then it returns null, and what is left is found by a later poll. n8n starts a poll although the one before is still
 * running; its durable scheduler catches up with several at once and writes the new memory only after a poll has returned.
 *
 * @param memory what the poll starts from, as n8n keeps it
 * @throws what `poll` throws
 */
export async function skipOverlapping(
	context: IPollFunctions,
	memory: unknown,
	poll: () => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const node = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	const from = fingerprint(JSON.stringify(memory ?? null));
	const last = lastPolls.get(node);
	if (last?.from === from && !isSaved(last)) {
		context.logger.debug('Skipped a poll: another one is at work on the same changes');
		return null;
	}
	const turn: PollRun = { from };
	lastPolls.set(node, turn);
	let output: INodeExecutionData[][] | null = null;
	try {
		output = await poll();
		return output;
	} finally {
		turn.returnedAt = Date.now();
		if (output === null && lastPolls.get(node) === turn) lastPolls.delete(node);
	}
}

function isSaved({ returnedAt }: PollRun): boolean {
	return returnedAt !== undefined && Date.now() - returnedAt > SAVE_GRACE_MS;
}
