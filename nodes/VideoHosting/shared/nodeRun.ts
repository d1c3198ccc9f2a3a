import type { IExecuteFunctions } from 'n8n-workflow';

import { perRun } from './perRun';

/** How long n8n takes at most to call a node again after the wait between two tries, in milliseconds. */
const START_OF_TRY_MS = 3_000;

/** A run of a node for its input items, in all its tries (Retry On Fail). */
export class NodeRun {
	private tries = 0;

	/** By a monotonic clock, in milliseconds. */
	private triedUntil = 0;

	/** Whether it is tried, or may be tried again: what its last try has left is not left yet. Without Retry On Fail never. */
	get isTried(): boolean {
		return this.triedUntil > performance.now();
	}

	beginTry(context: IExecuteFunctions): void {
		this.tries++;
		if (context.getNode().retryOnFail) this.triedUntil = Infinity;
	}

	/** Whether n8n tries the node again if this try fails (n8n-core 2.41.1 dist/execution-engine/workflow-execute.js, `getRetryParams`). */
	hasTriesLeft(context: IExecuteFunctions): boolean {
		const { maxTries, retryOnFail } = context.getNode();
		return retryOnFail === true && this.tries < Math.min(5, Math.max(2, maxTries || 3));
	}

	/** @param isFailed whether n8n tries the node again after such an end, after a wait of up to 5 seconds */
	endTry(context: IExecuteFunctions, isFailed: boolean): void {
		const waitMs = Math.min(context.getNode().waitBetweenTries ?? 1_000, 5_000) + START_OF_TRY_MS;
		this.triedUntil = isFailed && this.hasTriesLeft(context) ? performance.now() + waitMs : 0;
	}
}

const onlyTryOf = perRun(() => new NodeRun());

/** By the JSON of the first item, then by execution, node and run index. */
const runs = new WeakMap<object, Map<string, NodeRun>>();

/**
 * The run of the node that a context is a try of.
 *
 * With Retry On Fail, n8n calls the node again with a new context, and in some cases with a new array of input items (Execute
 * Once, tools of an agent), but the JSON of the first item stays the same object (n8n-core 2.41.1 and 1.122.48
 * dist/execution-engine/workflow-execute.js, `processRunExecutionData`, and
 * node-execution-context/utils/get-input-connection-data.js, `makeHandleToolInvocation`). So a try is recognized by that object,
 * and by its execution, node and run index. n8n drops the object after the run, and what is known of the run with it.
 */
export function nodeRunOf(context: IExecuteFunctions): NodeRun {
	const { name, retryOnFail } = context.getNode();
	const json = context.getInputData()[0]?.json;
	if (!retryOnFail || !json) return onlyTryOf(context);
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	// Each try of a tool has an index of its own, and each call of it a new object. n8n 1.123 has no isToolExecution().
	const isTool = Reflect.get(context, 'connectionType') === 'ai_tool';
	const id = JSON.stringify([context.getExecutionId(), name, isTool ? 'tool' : runIndex]);
	const known = runs.get(json) ?? new Map<string, NodeRun>();
	runs.set(json, known);
	const run = known.get(id) ?? new NodeRun();
	known.set(id, run);
	return run;
}
