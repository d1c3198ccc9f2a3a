import { binaryDataService } from './n8nCore';

import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	NodeConnectionTypes,
	Workflow,
	type IConnections,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRun,
	type ITaskData,
} from 'n8n-workflow';

import { VideoHosting } from '../../nodes/VideoHosting/VideoHosting.node';
import type { RunningService } from '../fakeService';
import { CredentialStore } from './credentialStore';
import { additionalData } from './workflowOfOneNode';

/** A setting of n8n's for every node: what happens after a failure. */
export type FailureSettings = Pick<
	INode,
	'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'executeOnce'
>;

export interface WorkflowRun {
	service: Pick<RunningService, 'credential'>;
	/** Resource, operation and the operation's parameters of the Video Hosting node. */
	parameters: INodeParameters;
	/** The items of each round of a loop (as Loop Over Items makes them); one round without a loop around the node. */
	rounds: INodeExecutionData[][];
	settings?: FailureSettings;
	executionId?: string;
}

const ITEMS = 'Items';
const NODE = 'Video Hosting';

/**
 * Runs `Items → Video Hosting → Items → …` in n8n-core's own engine, with its tries, error output and pairing, and returns
 * the runs of the Video Hosting node, one for each round.
 */
export async function runWorkflow(run: WorkflowRun): Promise<{ runs: ITaskData[]; result: IRun }> {
	await binaryDataService();
	const credentials = new CredentialStore({ accessToken: '', ...run.service.credential });
	const executionId = run.executionId ?? '1';
	const types: Record<string, INodeType> = { [ITEMS]: roundsNode(run.rounds), [NODE]: new VideoHosting() };
	const workflow = new Workflow({
		id: 'workflow-of-rounds',
		name: 'Rounds',
		nodes: [
			{ ...nodeOf(ITEMS), parameters: {} },
			{
				...nodeOf(NODE),
				parameters: run.parameters,
				credentials: { videoHostingApi: { id: '1', name: 'Video Hosting' } },
				waitBetweenTries: 1,
				...run.settings,
			},
		],
		connections: loopOf(ITEMS, NODE),
		active: false,
		nodeTypes: {
			getByName: (type) => typeOf(types, type),
			getByNameAndVersion: (type) => typeOf(types, type),
			getKnownTypes: () => ({}),
		},
		settings: { timezone: 'Europe/Berlin', executionOrder: 'v1' },
	});
	const data = additionalData(credentials);
	data.executionId = executionId;
	data.hooks = new ExecutionLifecycleHooks('trigger', executionId, {
		id: workflow.id,
		name: 'Rounds',
		active: false,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		activeVersionId: null,
		nodes: Object.values(workflow.nodes),
		connections: workflow.connectionsBySourceNode,
	});
	const startNode = workflow.getNode(ITEMS) ?? undefined;
	const result = await new WorkflowExecute(data, 'trigger').run({ workflow, startNode });
	return { runs: result.data.resultData.runData[NODE] ?? [], result };
}

function nodeOf(name: string): Omit<INode, 'parameters'> {
	return { id: name, name, type: name, typeVersion: 1, position: [0, 0] };
}

function typeOf(types: Record<string, INodeType>, type: string): INodeType {
	const found = types[type];
	if (!found) throw new Error(`No node type ${type}`);
	return found;
}

/** The error output leads back as well: a round ends with whatever came out. */
function loopOf(items: string, node: string): IConnections {
	const to = (name: string) => [{ node: name, type: NodeConnectionTypes.Main, index: 0 }];
	return { [items]: { main: [to(node)] }, [node]: { main: [to(items), to(items)] } };
}

/** Puts out the items of the next round each time it runs, and nothing after the last one. */
function roundsNode(rounds: INodeExecutionData[][]): INodeType {
	const left = [...rounds];
	return {
		description: {
			displayName: ITEMS,
			name: ITEMS,
			group: ['input'],
			version: 1,
			description: '',
			defaults: { name: ITEMS },
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			properties: [],
		},
		async execute() {
			return await Promise.resolve([left.shift() ?? []]);
		},
	};
}
