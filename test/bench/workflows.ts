import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IBinaryData, INode, INodeExecutionData, INodeParameters, ITaskData } from 'n8n-workflow';

import { createHeaders, patchHeaders } from '../fakeService/axiosClient';
import type { Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { expectSuccess } from '../n8n/rest';
import { httpRequest, manualTrigger, noOperation, UPLOAD, upload, workflowOf } from '../n8n/workflow';
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
	const create = httpRequest('Create', credential, {
		...{ method: 'POST', url: `${baseUrl}/v1/videos`, ...withHeaders(headers) },
		options: { response: { response: { fullResponse: true } } },
	});
	const send = httpRequest('Send', credential, {
		...{ method: 'PATCH', url: "=http:{{ $('Create').first().json.headers.location }}" },
		...{ ...withHeaders(patchHeaders(0)), sendBody: true },
		...{ contentType: 'binaryData', inputDataFieldName: 'data' },
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

/** The parameters of an HTTP Request node for these headers. */
export function withHeaders(headers: Record<string, string>): INodeParameters {
	const parameters = Object.entries(headers).map(([name, value]) => ({ name, value }));
	return { sendHeaders: true, headerParameters: { parameters } };
}

/**
 * Puts a file into n8n's binary data in filesystem mode (`filesystem-v2`, BinaryDataBlobManager of n8n-core 2.41), and
 * returns the binary field of an item that holds it. The file is sparse: the disk's speed is not part of what is measured.
 */
export function storeSparseFile(userFolder: string, size: number): IBinaryData {
	const fileId = `workflows/benchmark/executions/1/binary_data/${size}`;
	const file = join(userFolder, '.n8n', 'storage', fileId);
	const described = { fileName: 'benchmark.mp4', mimeType: 'video/mp4' };
	// A new file would be new to the system's page cache, too.
	if (!existsSync(file)) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, '');
		truncateSync(file, size);
		writeFileSync(`${file}.metadata`, JSON.stringify({ ...described, fileSize: size }));
	}
	return { ...described, data: 'filesystem-v2', id: `filesystem-v2:${fileId}`, bytes: size };
}
