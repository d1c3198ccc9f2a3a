import type { INode, INodeExecutionData, INodeParameters, ITaskData } from 'n8n-workflow';

import { createHeaders, patchHeaders } from '../fakeService/axiosClient';
import type { Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { expectSuccess, type StoredCredential } from '../n8n/rest';
import { manualTrigger, node, noOperation, UPLOAD, upload, workflowOf } from '../n8n/workflow';
import { storeSparseFile } from './storedFile';
import type { Place } from './testBed';

const ITEMS = 'Items';

/** n8n reads the whole execution from its database at each check whether it is over, in addition to what is measured. */
const pauseMilliseconds = 1_000;

/**
 * Stores a workflow of nodes that run one after the other behind items, and returns what runs it and waits for its end.
 * The run throws when the execution fails.
 */
export async function storedWorkflow(
	n8n: RunningN8n,
	name: string,
	items: INodeExecutionData[],
	measured: INode[],
): Promise<() => Promise<Execution>> {
	const workflow = workflowOf(name, [manualTrigger(), noOperation(ITEMS), ...measured]);
	// The nodes behind Items are branches of it: n8n runs them from left to right, and each gets the items.
	for (const { name: nodeName } of measured) workflow.connections[nodeName] = {};
	const branches = measured.map((each) => ({ node: each.name, type: 'main' as const, index: 0 }));
	workflow.connections[ITEMS] = { main: [branches] };
	const stored = await n8n.rest.createWorkflow({ ...workflow, pinData: { [ITEMS]: items } });
	return async () => {
		const executionId = await n8n.rest.runWorkflow(stored);
		return expectSuccess(await n8n.rest.waitForExecution(executionId, 30 * 60_000, pauseMilliseconds));
	};
}

/** How long these nodes ran in all, in milliseconds, by n8n's own clock. */
export function executionTime(execution: Execution, ...nodeNames: string[]): number {
	return nodeNames.reduce((sum, name) => sum + nodeRun(execution, name).executionTime, 0);
}

function nodeRun(execution: Execution, name: string): ITaskData {
	const run = execution.data.resultData.runData[name]?.at(-1);
	if (!run) throw new Error(`The node "${name}" did not run`);
	return run;
}

/** A workflow in a real n8n that uploads one file. */
export interface UploadWorkflow {
	run: () => Promise<Execution>;
	/** Of the nodes that upload, in milliseconds. */
	time(execution: Execution): number;
	/** When the nodes that upload ran, in milliseconds since the Unix epoch. */
	span(execution: Execution): { from: number; to: number };
}

/** Upload → Upload with nothing changed from its defaults. */
export async function uploadByNode({ n8n, credential }: Place, size: number): Promise<UploadWorkflow> {
	return await uploadWorkflow(n8n, `Upload of ${size} bytes`, size, [upload(credential)], [UPLOAD]);
}

/**
 * What a user without the node builds: one HTTP Request node creates the upload, a second one sends the file. Its video has
 * another name: of two new videos of one name, Return Video takes neither, and looks for 30 seconds.
 */
export async function uploadByHand(
	{ n8n, credential, service }: Place,
	size: number,
): Promise<UploadWorkflow> {
	const { baseUrl } = service.credential;
	const headers = createHeaders(size, 'by-hand.mp4');
	const create = httpRequest('Create', credential, 'POST', `${baseUrl}/v1/videos`, headers, {
		options: { response: { response: { fullResponse: true } } },
	});
	const address = "=http:{{ $('Create').first().json.headers.location }}";
	const send = httpRequest('Send', credential, 'PATCH', address, patchHeaders(0), {
		...{ sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data' },
	});
	const name = `Upload of ${size} bytes by HTTP Request`;
	return await uploadWorkflow(n8n, name, size, [create, send], ['Create', 'Send']);
}

async function uploadWorkflow(
	n8n: RunningN8n,
	name: string,
	size: number,
	nodes: INode[],
	nodeNames: string[],
): Promise<UploadWorkflow> {
	const item = { json: {}, binary: { data: storeSparseFile(n8n.userFolder, size) } };
	return {
		run: await storedWorkflow(n8n, name, [item], nodes),
		time: (execution) => executionTime(execution, ...nodeNames),
		span: (execution) => {
			const runs = nodeNames.map((nodeName) => nodeRun(execution, nodeName));
			const ends = runs.map(({ startTime, executionTime: milliseconds }) => startTime + milliseconds);
			return { from: Math.min(...runs.map(({ startTime }) => startTime)), to: Math.max(...ends) };
		},
	};
}

/** An HTTP Request node, of the version that n8n 2.41.1 sets in a new one, that signs in with the package's credential. */
export function httpRequest(
	name: string,
	{ id, name: credentialName, type }: StoredCredential,
	method: string,
	url: string,
	headers: Record<string, string>,
	further: INodeParameters = {},
): INode {
	const signIn = { authentication: 'predefinedCredentialType', nodeCredentialType: type, sendHeaders: true };
	const parameters = Object.entries(headers).map(([header, value]) => ({ name: header, value }));
	const all = { method, url, ...signIn, headerParameters: { parameters }, ...further };
	return {
		...node(name, 'n8n-nodes-base.httpRequest', 4.5, all),
		credentials: { [type]: { id, name: credentialName } },
	};
}
