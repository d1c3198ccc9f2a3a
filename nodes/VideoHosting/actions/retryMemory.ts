import type { IExecuteFunctions, INodeExecutionData, NodeExecutionHint } from 'n8n-workflow';

import { nodeRunOf, type NodeRun } from '../shared/nodeRun';

/** What one try of a run of the node leaves to the next one. */
interface RetryMemory {
	/** The output of each unit of the router that was completed, by its key. */
	completed: Map<string, INodeExecutionData[]>;
	/** The error of each unit that must not be carried out again: something was or may have been created or deleted. */
	final: Map<string, unknown>;
	hints: NodeExecutionHint[];
}

const memories = new WeakMap<NodeRun, RetryMemory>();

/** What earlier tries of this run of the node have left; the caller adds to it. */
export function retryMemory(context: IExecuteFunctions): RetryMemory {
	const run = nodeRunOf(context);
	const memory = memories.get(run) ?? { completed: new Map(), final: new Map(), hints: [] };
	memories.set(run, memory);
	return memory;
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
