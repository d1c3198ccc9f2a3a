import type { INode, INodeExecutionData, INodeParameters, ITaskData } from 'n8n-workflow';

import { errorOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential, WorkflowJson } from '../n8n/rest';
import { MANUAL_TRIGGER, manualTrigger, node, noOperation, workflowOf } from '../n8n/workflow';

const source = 'Items';

/** n8n reads the whole execution from its database at each check whether it is over, in addition to what is measured. */
const pausePart = 1;

/** Stores the workflow in n8n and returns what runs it and waits for its end. The run throws when the execution fails. */
export async function storedWorkflow(
	n8n: RunningN8n,
	name: string,
	items: INodeExecutionData[],
	nodes: INode[],
): Promise<() => Promise<Execution>> {
	const { id } = await n8n.rest.createWorkflow(workflow(name, items, nodes));
	return async () => {
		const executionId = await n8n.rest.runWorkflow(id, MANUAL_TRIGGER);
		const execution = await n8n.rest.waitForExecution(executionId, 30 * 60_000, pausePart);
		if (execution.status !== 'success') {
			throw new Error(`"${name}" ended with ${execution.status}: ${errorOf(execution)}`);
		}
		return execution;
	};
}

/** How long these nodes ran in all, in milliseconds, by n8n's own clock. */
export function executionTime(execution: Execution, ...nodeNames: string[]): number {
	return nodeNames.reduce((sum, name) => sum + nodeRun(execution, name).executionTime, 0);
}

/** The node's last run. */
export function nodeRun(execution: Execution, name: string): ITaskData {
	const run = execution.data.resultData.runData[name]?.at(-1);
	if (!run) throw new Error(`The node "${name}" did not run`);
	return run;
}

/**
 * A trigger, a node whose output is pinned to the items, and the measured nodes behind it, one branch each: n8n runs
 * branches from top to bottom (execution order v1).
 */
function workflow(name: string, items: INodeExecutionData[], measured: INode[]): WorkflowJson {
	const nodes = measured.map((each, row): INode => ({ ...each, position: [500, row * 200] }));
	const start = workflowOf(name, [manualTrigger(), noOperation(source)]);
	const branches = nodes.map((each) => ({ node: each.name, type: 'main' as const, index: 0 }));
	return {
		...start,
		nodes: [...start.nodes, ...nodes],
		connections: { ...start.connections, [source]: { main: [branches] } },
		pinData: { [source]: items },
	};
}

/** An HTTP Request node, of the version that n8n 2.41.1 sets in a new one, that signs in with the package's credential. */
export function httpRequest(
	name: string,
	{ id, name: credentialName, type }: StoredCredential,
	request: { method: string; url: string; headers: Record<string, string> },
	further: INodeParameters = {},
): INode {
	const { method, url, headers } = request;
	const sent = node(name, 'n8n-nodes-base.httpRequest', 4.5, {
		...{
			method,
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: type,
			sendHeaders: true,
		},
		headerParameters: {
			parameters: Object.entries(headers).map(([header, value]) => ({ name: header, value })),
		},
		...further,
	});
	return { ...sent, credentials: { [type]: { id, name: credentialName } } };
}
