import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { fingerprint } from './diff/fingerprint';
import { nodeKey } from './processState';

/** How long n8n may take to store the state of a poll that has emitted, in milliseconds. */
const SAVE_GRACE_MS = 10_000;

interface PollRun {
	/** Fingerprint of the state that the poll started from. */
	from: string;
	/** Milliseconds since the epoch. */
	startedAt: number;
	/** When the poll returned its items to n8n, in milliseconds since the epoch; undefined while it is running. */
	returnedAt?: number;
}

/** The last poll of each node in this process. */
const lastPolls = new Map<string, PollRun>();

/**
 * Runs a poll, unless another one of the same node is running from the same state or has just reported what changed since:
 * then it returns null, and a later poll finds what remains. n8n starts a poll although the one before is still running;
 * its durable scheduler catches up with several at once and stores the new state only after a poll has returned.
 *
 * A poll that is older than the budget is given up: the next one runs, and what the older one still returns is not used.
 *
 * @param state what the poll starts from, as it is stored
 * @param budgetMs how long a poll may take, in milliseconds
 * @param poll receives whether it was given up meanwhile; then it must neither store its state nor return items
 * @throws what `poll` throws
 */
export async function skipOverlapping(
	context: IPollFunctions,
	state: unknown,
	budgetMs: number,
	poll: (isGivenUp: () => boolean) => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const node = nodeKey(context);
	const now = Date.now();
	const from = fingerprint(JSON.stringify(state ?? null));
	const last = lastPolls.get(node);
	if (last?.from === from && !isOver(last, now, budgetMs)) {
		context.logger.debug('Skipped a poll: another one is reading the same changes');
		return null;
	}
	const run: PollRun = { from, startedAt: now };
	lastPolls.set(node, run);
	const isGivenUp = () => lastPolls.get(node) !== run;
	let output: INodeExecutionData[][] | null = null;
	try {
		output = await poll(isGivenUp);
		return output;
	} finally {
		run.returnedAt = Date.now();
		if (output === null && !isGivenUp()) lastPolls.delete(node);
	}
}

/** Whether a poll was given up, or its state is stored by now. */
function isOver({ startedAt, returnedAt }: PollRun, now: number, budgetMs: number): boolean {
	return returnedAt === undefined ? now - startedAt > budgetMs : now - returnedAt > SAVE_GRACE_MS;
}
