import { binaryDataService } from './n8nCore';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	NodeConnectionTypes,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IWorkflowBase,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import { credentialStoreOf, type NodeRun } from './executeNode';
import { additionalData, nodeOf, workflowOf } from './workflowOfOneNode';

interface WorkflowRun extends Pick<NodeRun, 'service' | 'parameters' | 'executionId'> {
	/** The items of each round of a loop (as Loop Over Items makes them); one round without a loop around the node. */
	rounds: INodeExecutionData[][];
	/** Settings of n8n's for every node, such as Retry On Fail. */
	settings?: Partial<INode>;
}

const ITEMS = 'Items';
const NODE = 'Video Hosting';

/**
 * Runs `Items → Video Hosting → Items → …` in n8n-core's own engine, with its tries, error output and pairing, and returns
 * the runs of the Video Hosting node, one for each round.
 */
export async function runWorkflow({ service, parameters, rounds, settings, executionId = '1' }: WorkflowRun) {
	await binaryDataService();
	const [itemsType, nodeType] = [roundsNode(rounds), new VideoHosting()];
	const node = { ...nodeOf(NODE, parameters), waitBetweenTries: 1, ...settings };
	const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	// The error output leads back as well: a round ends with whatever came out.
	const connections = { [ITEMS]: { main: [to(NODE)] }, [NODE]: { main: [to(ITEMS), to(ITEMS)] } };
	const typeOf = (type: string) => (type === ITEMS ? itemsType : nodeType);
	const workflow = workflowOf([nodeOf(ITEMS, {}), node], typeOf, connections);
	// Nothing hooks in, so nobody reads the workflow that would be passed on.
	const hooks = new ExecutionLifecycleHooks('trigger', executionId, {} as IWorkflowBase);
	const data = { ...additionalData(credentialStoreOf({ service })), executionId, hooks };
	const startNode = workflow.getNode(ITEMS) ?? undefined;
	const result = await new WorkflowExecute(data, 'trigger').run({ workflow, startNode });
	return { runs: result.data.resultData.runData[NODE] ?? [], result };
}

/** Puts out the items of the next round each time it runs, and nothing after the last one. It has the inputs and outputs of the node. */
function roundsNode(rounds: INodeExecutionData[][]): INodeType {
	const left = [...rounds];
	const { description } = new VideoHosting();
	return {
		description: { ...description, credentials: [], properties: [] },
		execute: async () => await Promise.resolve([left.shift() ?? []]),
	};
}
