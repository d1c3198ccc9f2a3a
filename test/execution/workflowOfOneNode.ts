import {
	Workflow,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';

/** Settings of the workflow and of its Video Hosting node that a test may choose. */
export interface WorkflowSettings {
	onError?: INode['onError'];
	retryOnFail?: boolean;
	staticData?: IDataObject;
	/** Europe/Berlin by default. */
	timezone?: string;
	workflowId?: string;
}

/** A workflow whose only node is the one under test, with its parameters filled up by their defaults as n8n does. */
export function workflowOfOneNode(
	nodeType: INodeType,
	parameters: INodeParameters,
	settings: WorkflowSettings = {},
): { workflow: Workflow; node: INode } {
	const { name, defaults } = nodeType.description;
	const { onError, retryOnFail } = settings;
	const type = `n8n-nodes-video-hosting.${name}`;
	const given = { ...nodeOf(String(defaults.name), parameters), type, onError, retryOnFail };
	const workflow = workflowOf([given], () => nodeType, {}, settings);
	// The workflow holds a copy whose parameters are complete.
	return { workflow, node: workflow.getNode(given.name) ?? given };
}

/** A node with the credential; its type has its name. */
export function nodeOf(name: string, parameters: INodeParameters): INode {
	const credentials = { videoHostingApi: { id: '1', name: 'Video Hosting' } };
	return { id: name, name, type: name, typeVersion: 1, position: [0, 0], parameters, credentials };
}

export function workflowOf(
	nodes: INode[],
	typeOf: (type: string) => INodeType,
	connections: IConnections,
	{ staticData, timezone = 'Europe/Berlin', workflowId = 'workflow' }: WorkflowSettings = {},
): Workflow {
	return new Workflow({
		id: workflowId,
		name: 'Workflow',
		nodes,
		connections,
		active: false,
		nodeTypes: { getByName: typeOf, getByNameAndVersion: typeOf, getKnownTypes: () => ({}) },
		staticData,
		settings: { timezone, executionOrder: 'v1' },
	});
}

/**
 * Listens to the log of a context.
 *
 * @returns what a node logs in it, in lines of this form
 */
export function logOf(context: object, lineOf = (_level: string, message: string) => message) {
	const log: string[] = [];
	const write = (level: string) => (message: string) => void log.push(lineOf(level, message));
	// Once read, the context's own logger can no longer be replaced.
	Object.defineProperty(context, 'logger', {
		value: { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') },
	});
	return log;
}

/** What n8n passes to every context besides the workflow. */
export function additionalData(
	credentialsHelper: CredentialStore,
	sendDataToUI?: IWorkflowExecuteAdditionalData['sendDataToUI'],
): IWorkflowExecuteAdditionalData {
	// n8n parses the addresses of its own webhooks for expressions; nothing listens there.
	const address = 'http://localhost:5678/';
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		formWaitingBaseUrl: address,
		webhookWaitingBaseUrl: address,
		variables: {},
		sendDataToUI,
	};
	// The nodes of this package reach for nothing else.
	return data as IWorkflowExecuteAdditionalData;
}
