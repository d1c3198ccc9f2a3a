import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import { UPLOAD, upload } from '../n8n/workflow';
import { createHeaders, patchHeaders } from '../fakeService/axiosClient';
import { storeSparseFile } from './storedFile';
import { executionTime, httpRequest, nodeRun, storedWorkflow } from './workflows';

/** A workflow in a real n8n that uploads one file. */
export interface UploadWorkflow {
	run(): Promise<Execution>;
	/** Of the nodes that upload, in milliseconds. */
	time(execution: Execution): number;
	/** When the nodes that upload ran, in milliseconds since the Unix epoch. */
	span(execution: Execution): { from: number; to: number };
}

interface Place {
	n8n: RunningN8n;
	credential: StoredCredential;
	/** Address of the service. */
	baseUrl: string;
}

/** Upload → Upload with nothing changed from its defaults. */
export async function uploadByNode({ n8n, credential }: Place, size: number): Promise<UploadWorkflow> {
	const name = `Upload of ${size} bytes`;
	const run = await storedWorkflow(n8n, name, [fileItem(n8n, size)], [upload(credential)]);
	return workflowOf(run, UPLOAD);
}

/**
 * What a user without the node builds: one HTTP Request node creates the upload, a second one sends the file. Its video has
 * another name: of two new videos of one name, Return Video takes neither, and looks for 30 seconds.
 */
export async function uploadByHand(
	{ n8n, credential, baseUrl }: Place,
	size: number,
	options: INodeParameters = {},
): Promise<UploadWorkflow> {
	const create = httpRequest(
		'Create',
		credential,
		{ method: 'POST', url: `${baseUrl}/v1/videos`, headers: createHeaders(size, 'by-hand.mp4') },
		{ options: { ...options, response: { response: { fullResponse: true } } } },
	);
	const address = "=http:{{ $('Create').first().json.headers.location }}";
	const send = httpRequest(
		'Send',
		credential,
		{ method: 'PATCH', url: address, headers: patchHeaders(0) },
		{ sendBody: true, contentType: 'binaryData', inputDataFieldName: 'data', options },
	);
	const name = `Upload of ${size} bytes by HTTP Request`;
	const run = await storedWorkflow(n8n, name, [fileItem(n8n, size)], [create, send]);
	return workflowOf(run, create.name, send.name);
}

function workflowOf(run: UploadWorkflow['run'], ...nodeNames: string[]): UploadWorkflow {
	return {
		run,
		time: (execution) => executionTime(execution, ...nodeNames),
		span: (execution) => {
			const runs = nodeNames.map((name) => nodeRun(execution, name));
			const ends = runs.map(({ startTime, executionTime: milliseconds }) => startTime + milliseconds);
			return { from: Math.min(...runs.map(({ startTime }) => startTime)), to: Math.max(...ends) };
		},
	};
}

function fileItem(n8n: RunningN8n, size: number): INodeExecutionData {
	return { json: {}, binary: { data: storeSparseFile(n8n.userFolder, size) } };
}
