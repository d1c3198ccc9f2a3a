import { existsSync, mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import type { IBinaryData, INode, INodeExecutionData, INodeParameters, ITaskData } from 'n8n-workflow';

import type { RunningN8n } from '../n8n/instance';
import { expectSuccess } from '../n8n/rest';
import { httpRequest, manualTrigger, noOperation, upload, workflowOf } from '../n8n/workflow';
import type { Place } from './testBed';

const ITEMS = 'Items';

/** n8n reads the whole execution from its database at each check whether it is over, in addition to what is measured. */
const pauseMilliseconds = 1_000;

/** Runs a stored workflow, and returns how each measured node ran. Throws when the execution fails. */
export type Measured = () => Promise<ITaskData[]>;

/** Stores a workflow of measured nodes that run one after the other behind items. */
export async function storedWorkflow(
	n8n: RunningN8n,
	name: string,
	items: INodeExecutionData[],
	measured: INode[],
): Promise<Measured> {
	const workflow = workflowOf(name, [manualTrigger(), noOperation(ITEMS), ...measured]);
	// The nodes behind Items are branches of it: n8n runs them from left to right, and each gets the items.
	for (const { name: nodeName } of measured) workflow.connections[nodeName] = {};
	const branches = measured.map((each) => ({ node: each.name, type: 'main' as const, index: 0 }));
	workflow.connections[ITEMS] = { main: [branches] };
	const stored = await n8n.rest.createWorkflow({ ...workflow, pinData: { [ITEMS]: items } });
	return async () => {
		const executionId = await n8n.rest.runWorkflow(stored);
		const execution = await n8n.rest.waitForExecution(executionId, 30 * 60_000, pauseMilliseconds);
		const { runData } = expectSuccess(execution).data.resultData;
		const runs = measured.flatMap((each) => runData[each.name] ?? []);
		if (runs.length !== measured.length) throw new Error(`Not each node of "${name}" ran once`);
		return runs;
	};
}

/** How long nodes ran in all, in milliseconds, by n8n's own clock. */
export function executionTime(runs: ITaskData[]): number {
	return runs.reduce((sum, run) => sum + run.executionTime, 0);
}

/** Upload → Upload of one file with nothing changed from its defaults. */
export async function uploadByNode({ n8n, credential }: Place, size: number): Promise<Measured> {
	return await storedWorkflow(n8n, `Upload of ${size} bytes`, [itemOf(n8n, size)], [upload(credential)]);
}

/**
 * What a user without the node builds: one HTTP Request node creates the upload, a second one sends the file. Its video has
 * another name: of two new videos of one name, Return Video takes neither, and looks for 30 seconds.
 */
export async function uploadByHand({ n8n, credential, service }: Place, size: number): Promise<Measured> {
	const { baseUrl } = service.credential;
	const file = `filename ${Buffer.from('by-hand.mp4').toString('base64')}`;
	const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Metadata': file };
	const create = httpRequest('Create', credential, {
		...{ method: 'POST', url: `${baseUrl}/v1/videos` },
		...withHeaders({ ...headers, 'Upload-Length': String(size), 'Content-Type': 'application/json' }),
		options: { response: { response: { fullResponse: true } } },
	});
	const send = httpRequest('Send', credential, {
		...{ method: 'PATCH', url: "=http:{{ $('Create').first().json.headers.location }}" },
		...withHeaders({ ...headers, 'Upload-Offset': '0', 'Content-Type': 'application/offset+octet-stream' }),
		sendBody: true,
		...{ contentType: 'binaryData', inputDataFieldName: 'data' },
	});
	const name = `Upload of ${size} bytes by HTTP Request`;
	return await storedWorkflow(n8n, name, [itemOf(n8n, size)], [create, send]);
}

function itemOf({ userFolder }: RunningN8n, size: number): INodeExecutionData {
	return { json: {}, binary: { data: storeSparseFile(userFolder, size) } };
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
