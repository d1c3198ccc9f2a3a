import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parsePollState, type PollState, type StoredPollState } from './diff/pollState';

/** How long n8n may take to store the state of a poll that has emitted, in milliseconds. */
const SAVE_GRACE_MS = 10_000;

/** How long a service may reject all requests of the polls with 429 before that is an error, in milliseconds. */
export const LONGEST_LIMIT_MS = 60 * 60 * 1000;

/** What this process knows of a trigger node. Times are in milliseconds since the epoch. */
interface NodeState {
	/** The newest state of the polls. */
	newest?: StoredPollState;
	lastPoll?: PollRun;
	/** When the polls began to read nothing because of 429. */
	limitedSince?: number;
	/** Hashes under Event Names or IDs that n8n's log has named; none while the service finds all events. */
	namedHashes?: ReadonlySet<string>;
}

interface PollRun {
	/** Revision of the state that the poll started from. */
	from: number;
	startedAt: number;
	/** When the poll returned its items to n8n; undefined while it is running. */
	returnedAt?: number;
}

/** By workflow ID and node ID. */
const nodes = new Map<string, NodeState>();

function stateOf(context: IPollFunctions): NodeState {
	const key = `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
	const state = nodes.get(key) ?? {};
	nodes.set(key, state);
	return state;
}

/**
 * What is to be kept when n8n emits the items of the latest poll of a context. n8n 2 discards those of a poll whose workflow was
 * deactivated or activated again while it ran, so that a later poll must find them again; n8n 1 emits them (n8n-core 2.41.1
 * dist/execution-engine/poll-trigger-executor.js, isCurrent). To emit them, both call `__emit`, which stores the static data.
 */
const emissions = new WeakMap<IPollFunctions, { keep?: () => void }>();

/** Notes a poll, and returns whether it is the first one in its context: n8n makes a context, and polls in it, at each activation. */
export function beginPoll(context: IPollFunctions): boolean {
	if (emissions.has(context)) return false;
	const emission: { keep?: () => void } = {};
	emissions.set(context, emission);
	const emit = context.__emit.bind(context);
	context.__emit = (...output) => {
		emission.keep?.();
		emission.keep = undefined;
		emit(...output);
	};
	return true;
}

/**
 * The state that a poll starts from, the newer one of n8n's static data and of this process; undefined for none.
 *
 * Static data can be older: n8n does not write it after a poll without items, and an execution of the same workflow that
 * stores static data replaces it by the copy that the execution started with. It can also be newer, when another process
 * has polled since; revisions decide. After a restart there is static data alone.
 */
export function newestState(context: IPollFunctions, staticData: IDataObject): PollState | undefined {
	const stored = parsePollState(staticData.memory);
	const { newest } = stateOf(context);
	const isNewer = (newest?.state.revision ?? -1) > (stored?.revision ?? -1);
	return isNewer ? parsePollState(newest) : stored;
}

/** Keeps the state that a poll leaves for the next one: at once, or with items when n8n emits them ({@link emissions}). */
export function keepState(
	context: IPollFunctions,
	staticData: IDataObject,
	left: StoredPollState,
	hasItems: boolean,
): void {
	const state = stateOf(context);
	state.limitedSince = undefined;
	const keep = () => {
		staticData.memory = left;
		if (!hasItems || !isOwnCursor(staticData)) state.newest = left;
	};
	const emission = emissions.get(context);
	if (hasItems && emission) emission.keep = keep;
	else keep();
}

/**
 * Whether n8n keeps the node's state apart from static data, as a cursor that it commits together with the execution (its
 * durable poll cursors, docs/n8n-internals.md, Polls and static data). Then a state with items that n8n did not commit belongs to
 * items that it did not emit. Static data proper is an observed object with this property
 * (n8n-workflow 2.41.0 dist/cjs/observable-object.js); the copy of a cursor is a plain one.
 */
function isOwnCursor(staticData: IDataObject): boolean {
	return !('__dataChanged' in staticData);
}

/**
 * Whether the polls of a node have read nothing for too long because of 429; to be asked after each such poll.
 *
 * @param isActivation the count begins
 */
export function isLimitedForLong(context: IPollFunctions, isActivation: boolean): boolean {
	const state = stateOf(context);
	if (isActivation) state.limitedSince = undefined;
	state.limitedSince ??= Date.now();
	return Date.now() - state.limitedSince > LONGEST_LIMIT_MS;
}

/**
 * The hashes that the service does not find and that the log has not named since it last found them; from now on it has.
 *
 * @param isWhole whether the poll read all hashes; else those that it did not read count as they did before
 */
export function unnamedHashes(
	context: IPollFunctions,
	notFound: readonly string[],
	isWhole: boolean,
): string[] {
	const state = stateOf(context);
	const named = state.namedHashes ?? new Set<string>();
	state.namedHashes = new Set(isWhole ? notFound : [...named, ...notFound]);
	return notFound.filter((hash) => !named.has(hash));
}

/**
 * Runs a poll, unless another one of the same node is running from the same state or has just reported what changed since:
 * then it returns null, and a later poll finds what remains. n8n starts a poll although the one before is still running;
 * its durable scheduler catches up with several at once and stores the new state only after a poll has returned.
 *
 * A poll that is older than the budget is given up: the next one runs, and what the older one still returns is not used. So is one
 * that still runs when the workflow is activated again, perhaps with other settings.
 *
 * @param from revision of the state that the poll starts from
 * @param isActivation the poll is never skipped
 * @param budgetMs how long a poll may take, in milliseconds
 * @param poll receives whether it was given up meanwhile; then it must neither store its state nor return items
 * @throws what `poll` throws
 */
export async function skipOverlapping(
	context: IPollFunctions,
	{ from, isActivation, budgetMs }: { from: number; isActivation: boolean; budgetMs: number },
	poll: (isGivenUp: () => boolean) => Promise<INodeExecutionData[][] | null>,
): Promise<INodeExecutionData[][] | null> {
	const state = stateOf(context);
	const now = Date.now();
	if (!isActivation && state.lastPoll?.from === from && !isOver(state.lastPoll, now, budgetMs)) {
		context.logger.debug('Skipped a poll: another one is reading the same changes');
		return null;
	}
	const run: PollRun = { from, startedAt: now };
	state.lastPoll = run;
	const isGivenUp = () => state.lastPoll !== run;
	let output: INodeExecutionData[][] | null = null;
	try {
		output = await poll(isGivenUp);
		return output;
	} finally {
		run.returnedAt = Date.now();
		if (output === null && !isGivenUp()) state.lastPoll = undefined;
	}
}

/** Whether a poll was given up, or its state is stored by now. */
function isOver({ startedAt, returnedAt }: PollRun, now: number, budgetMs: number): boolean {
	// The system's clock may have been set back.
	return returnedAt === undefined
		? Math.abs(now - startedAt) > budgetMs
		: Math.abs(now - returnedAt) > SAVE_GRACE_MS;
}
