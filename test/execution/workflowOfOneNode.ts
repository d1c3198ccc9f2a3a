import { Container } from '@n8n/di';
import { ExternalSecretsProxy } from 'n8n-core';
import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IVersionedNodeType,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';

import type { CredentialStore } from './credentialStore';

/** n8n parses the addresses of its own webhooks for expressions; nothing listens there. */
const N8N_ADDRESS = 'http://localhost:5678/';
const WORKFLOW_ID = 'workflow-of-one-node';

/** A workflow whose only node is the one under test, with its parameters filled up by their defaults as n8n does. */
export function workflowOfOneNode(
	nodeType: INodeType,
	parameters: INodeParameters,
	settings: {
		onError?: INode['onError'];
		retryOnFail?: boolean;
		staticData?: IDataObject;
		timezone?: string;
		workflowId?: string;
		binaryMode?: 'combined';
	} = {},
): { workflow: Workflow; node: INode } {
	const { name, defaults } = nodeType.description;
	const node: INode = {
		id: 'node-under-test',
		name: String(defaults.name),
		type: `n8n-nodes-video-hosting.${name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { videoHostingApi: { id: '1', name: 'Video Hosting' } },
		onError: settings.onError,
		retryOnFail: settings.retryOnFail,
	};
	const nodeTypes: INodeTypes = {
		getByName: (): INodeType | IVersionedNodeType => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: settings.workflowId ?? WORKFLOW_ID,
		name: 'Workflow of one node',
		nodes: [node],
		connections: {},
		active: false,
		nodeTypes,
		staticData: settings.staticData,
		settings: {
			timezone: settings.timezone ?? 'Europe/Berlin',
			...(settings.binaryMode ? { binaryMode: settings.binaryMode } : {}),
		},
	});
	// The workflow holds a copy whose parameters are complete.
	return { workflow, node: workflow.getNode(node.name) ?? node };
}

/** What n8n passes to every context besides the workflow; only what the nodes of this package reach is real. */
export function additionalData(
	credentialsHelper: CredentialStore,
	sendDataToUI?: IWorkflowExecuteAdditionalData['sendDataToUI'],
): IWorkflowExecuteAdditionalData {
	const notUsed = () => {
		throw new Error('The node reached for a part of n8n that this test does not provide');
	};
	return {
		credentialsHelper,
		executeWorkflow: notUsed,
		getRunExecutionData: notUsed,
		getRuntimeCredential: notUsed,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		restApiUrl: N8N_ADDRESS,
		instanceBaseUrl: N8N_ADDRESS,
		formBaseUrl: N8N_ADDRESS,
		formWaitingBaseUrl: N8N_ADDRESS,
		formTestBaseUrl: N8N_ADDRESS,
		webhookBaseUrl: N8N_ADDRESS,
		webhookWaitingBaseUrl: N8N_ADDRESS,
		webhookTestBaseUrl: N8N_ADDRESS,
		mcpBaseUrl: N8N_ADDRESS,
		mcpTestBaseUrl: N8N_ADDRESS,
		variables: {},
		externalSecretsProxy: Container.get(ExternalSecretsProxy),
		logAiEvent: () => {},
		startRunnerTask: notUsed,
		sendDataToUI,
	};
}
