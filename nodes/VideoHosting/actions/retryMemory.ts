import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

/** What one try of a run of the node leaves to the next one. */
interface RetryMemory {
	/** The output of each unit of the router that was completed, by its key. */
	completed: Map<string, INodeExecutionData[]>;
	/** The error of each unit that must not be carried out again: something was or may have been created or deleted. */
	final: Map<string, unknown>;
	hints: NodeExecutionHint[];
}

/** By the JSON of the first item, then by run of the node. */
const memories = new WeakMap<object, Map<string, RetryMemory>>();

/**
 * What earlier tries of this run of the node have left; the caller adds to it.
 *
 * With Retry On Fail, n8n calls the node again with a new context, and in some cases with a new array of input items (Execute Once,
 * tools of an agent), but the JSON of the first item stays the same object (n8n-core 2.41.1 and 1.122.48 dist/execution-engine/workflow-execute.js, `processRunExecutionData`, and
 * node-execution-context/utils/get-input-connection-data.js, `makeHandleToolInvocation`). So a try is recognized by that object,
 * and by its execution, node and run index; otherwise the memory is empty. n8n drops the object after the run, and the memory
 * with it.
 */
export function retryMemory(context: IExecuteFunctions): RetryMemory {
	const { name, retryOnFail } = context.getNode();
	if (!retryOnFail) return emptyMemory();
	const { $runIndex: runIndex } = context.getWorkflowDataProxy(0);
	// Each try of a tool has an index of its own, and each call of it a new object.
	const run = context.isToolExecution() ? 'tool' : runIndex;
	const runId = JSON.stringify([context.getExecutionId(), name, run]);
	const json = context.getInputData()[0]?.json ?? {};
	const ofRuns = memories.get(json) ?? new Map<string, RetryMemory>();
	memories.set(json, ofRuns);
	const memory = ofRuns.get(runId) ?? emptyMemory();
	ofRuns.set(runId, memory);
	return memory;
}

function emptyMemory(): RetryMemory {
	return { completed: new Map(), final: new Map(), hints: [] };
}

/** Shows a message above the output of the node, also when the node is tried again: n8n keeps the hints of the last try. */
export function addHint(
	context: IExecuteFunctions,
	message: string,
	type: NodeExecutionHint['type'] = 'info',
): void {
	const { hints } = retryMemory(context);
	if (hints.some((hint) => hint.message === message)) return;
	hints.push({ message, type, location: 'outputPane' });
	showHints(context, hints.slice(-1));
}

/** Shows the hints of earlier tries again. */
export function showHints(context: IExecuteFunctions, hints: NodeExecutionHint[]): void {
	// n8n before 1.86 has no hints.
	if ('addExecutionHints' in context) context.addExecutionHints(...hints);
}
