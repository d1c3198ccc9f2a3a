import { NodeConnectionTypes, type IExecuteFunctions } from 'n8n-workflow';

/** Keyed by the JSON of the first input item, then by run. */
const memories = new WeakMap<object, Map<string, Map<string, unknown>>>();

/**
 * The memory that all tries of a run share (Retry On Fail); empty in each try without that setting.
 *
 * n8n makes a new context for each try, but the JSON of an input item stays the same object (docs/n8n-internals.md#tries). Its memory
 * ends with the object. Other runs, nodes and executions may have the same object, so each has a memory of its own.
 */
export function retryMemory<Value>(context: IExecuteFunctions): Map<string, Value> {
	const { name, retryOnFail } = context.getNode();
	const json = context.getInputData()[0]?.json;
	if (!retryOnFail || !json) return new Map();
	// Each try of an agent's tool has a run index of its own, and each of its calls a new object.
	const isTool = context.getInputData(0, NodeConnectionTypes.Main).length === 0;
	const runIndex: unknown = isTool ? undefined : context.getWorkflowDataProxy(0).$runIndex;
	const run = JSON.stringify([context.getExecutionId(), name, runIndex]);
	const runs = memories.get(json) ?? new Map<string, Map<string, unknown>>();
	memories.set(json, runs);
	const memory = runs.get(run) ?? new Map<string, unknown>();
	runs.set(run, memory);
	// The router alone stores values.
	return memory as Map<string, Value>;
}
