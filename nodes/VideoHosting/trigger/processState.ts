import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { parsePollState, type StoredPollState } from './diff/pollState';

interface ProcessState {
	/** The context of the node's latest activation. */
	context: IPollFunctions;
	newest?: StoredPollState;
}

/** The newest state of each trigger node in this process, by workflow ID and node ID. */
const states = new Map<string, ProcessState>();

/** Identifies a trigger node in this process. */
export function nodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id ?? ''}:${context.getNode().id}`;
}

/**
 * The state that a poll starts from, as it is stored: the newer one of n8n's static data and of this process.
 *
 * Static data can be older: n8n does not write it after a poll without items, and an execution of the same workflow that
 * stores static data replaces it by the copy that the execution started with. It can also be newer, when another process
 * has polled since; revisions decide. After a restart there is static data alone.
 */
export function newestState(context: IPollFunctions, staticData: IDataObject): unknown {
	const stored = staticData.memory;
	if (isOwnCursor(staticData)) return stored;
	const key = nodeKey(context);
	const inProcess = states.get(key)?.newest;
	states.set(key, { context, ...(inProcess && { newest: inProcess }) });
	const storedRevision = parsePollState(stored)?.revision ?? -1;
	return inProcess && inProcess.revision > storedRevision ? inProcess : stored;
}

/**
 * Keeps the state that a poll leaves for the next one. The state of a poll whose workflow was activated again while it ran
 * is not kept: n8n 2 discards the items of such a poll (n8n-core 2.41.1 dist/execution-engine/poll-trigger-executor.js,
 * isCurrent), so that a later poll must find them again.
 */
export function rememberInProcess(
	context: IPollFunctions,
	staticData: IDataObject,
	newest: StoredPollState,
): void {
	const key = nodeKey(context);
	if (isOwnCursor(staticData) || states.get(key)?.context !== context) return;
	states.set(key, { context, newest });
}

/**
 * Whether n8n keeps the node's state apart from static data, as a cursor that it commits together with the execution (its
 * durable poll cursors, docs/n8n-internals.md, Polls and static data). Then no execution can replace it, and a state that
 * n8n did not commit belongs to items that it did not emit. Static data proper is an observed object with this property
 * (n8n-workflow 2.41.0 dist/cjs/observable-object.js); the copy of a cursor is a plain one.
 */
function isOwnCursor(staticData: IDataObject): boolean {
	return !('__dataChanged' in staticData);
}
