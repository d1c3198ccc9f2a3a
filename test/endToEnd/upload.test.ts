import { createHash, randomBytes } from 'node:crypto';
import { createReadStream, openSync, closeSync, writeSync } from 'node:fs';
import { join } from 'node:path';

import type { IConnections, IDataObject, INode } from 'n8n-workflow';

import { passesErrorItems } from '../matrix/errorItems';
import { errorOf, outputOf, type Execution } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import type { StoredCredential } from '../n8n/rest';
import type { RunningService, Upload } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';

const MIB = 1024 * 1024;

let environment: TestEnvironment;
let service: RunningService;
let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	environment = await setUpTestEnvironment();
	({ service, n8n, credential } = environment);
}, 180_000);

afterAll(async () => {
	await environment?.remove();
});

beforeEach(() => {
	service.state.uploads = [];
	service.clearFaults();
});

it('finishes an upload that was cancelled when the workflow runs again', async () => {
	const file = writeFile('cancelled.mp4', 40 * MIB);
	const workflow = await activeWorkflow('cancelled', file, { Upload: { operation: 'upload' } });
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 15 * MIB });

	const first = await start(workflow);
	await service.until(() => (service.state.uploads[0]?.offset ?? 0) >= 15 * MIB);
	await n8n.rest.stopExecution(await first.executionId());
	expect((await n8n.rest.waitForExecution(await first.executionId())).status).toBe('canceled');
	expect(onlyUpload().complete).toBe(false);

	const second = await start(workflow);
	const execution = await n8n.rest.waitForExecution(await second.executionId());

	expect(errorOf(execution)).toBe('');
	expect(onlyUpload()).toMatchObject({ complete: true, bytesReceived: 40 * MIB, sha256: await sha256(file) });
	expect(uploadOutput(execution)).toMatchObject({ uploadId: onlyUpload().id, bytesSent: 25 * MIB });
}, 120_000);

it('passes the upload ID of a failed upload on to the next node, in both modes of continuing on errors', async () => {
	expect(await passesErrorItems({ n8n, service, credential })).toContain('Resume finishes the upload');
}, 180_000);

it('uploads 2 GB over a connection that is cut three times, in constant memory', async () => {
	const file = writeFile('keynote.mp4', 2_000 * MIB);
	const workflow = await activeWorkflow('two-gigabytes', file, { Upload: { operation: 'upload' } });
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 450 * MIB, times: 3 });

	const started = service.until(() => (service.state.uploads[0]?.offset ?? 0) > 0);
	const run = await start(workflow);
	await started;
	n8n.forgetPeakRss();
	const before = n8n.memory().rss;
	// Asking n8n whether the execution is over takes memory as well.
	await service.until(() => service.state.uploads[0]?.complete === true);
	const growth = n8n.memory().peakRss - before;
	const execution = await n8n.rest.waitForExecution(await run.executionId(), 240_000);

	expect(errorOf(execution)).toBe('');
	const upload = onlyUpload();
	expect(upload).toMatchObject({ complete: true, size: 2_000 * MIB, bytesReceived: 2_000 * MIB });
	expect(upload.sha256).toBe(await sha256(file));
	expect(upload.patches.map(({ offset }) => offset)).toEqual([0, 450 * MIB, 900 * MIB, 1_350 * MIB]);
	expect(uploadOutput(execution)).toMatchObject({ complete: true, resumes: 3, offset: 2_000 * MIB });
	console.info(`n8n's memory grew by ${(growth / MIB).toFixed(1)} MiB while 2,000 MiB were uploaded`);
	// 26 MiB on an idle machine; V8 collects garbage later where other programs take the processor. A client that buffers the file
	// would take 2,000.
	expect(growth).toBeLessThan(128 * MIB);
}, 300_000);

it('finishes the two-step form by retrying the execution in which n8n was killed', async () => {
	const file = writeFile('killed.mp4', 40 * MIB);
	const workflow = await activeWorkflow('killed', file, {
		Create: { operation: 'create', fileName: 'killed.mp4', size: 40 * MIB },
		Upload: { operation: 'resume', uploadId: '={{ $json.uploadId }}' },
	});
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 15 * MIB });

	const run = await start(workflow);
	await service.until(() => (service.state.uploads[0]?.offset ?? 0) >= 15 * MIB);
	const crashedId = await run.executionId();
	await n8n.kill();
	await n8n.restart();

	expect(['crashed', 'error']).toContain((await n8n.rest.waitForExecution(crashedId)).status);
	const execution = await n8n.rest.retryExecution(crashedId);

	expect(errorOf(execution)).toBe('');
	expect(onlyUpload()).toMatchObject({ complete: true, bytesReceived: 40 * MIB, sha256: await sha256(file) });
	expect(uploadOutput(execution)).toMatchObject({ uploadId: onlyUpload().id, bytesSent: 25 * MIB });
}, 240_000);

/** A file of random bytes in n8n's files folder, no two MiB of it alike for 67 MiB. Returns its path. */
function writeFile(name: string, size: number): string {
	const file = join(n8n.filesFolder, name);
	const descriptor = openSync(file, 'w');
	const block = randomBytes(Math.min(size, 67 * MIB - 1));
	for (let start = 0; start < size; start += block.length) {
		writeSync(descriptor, block, 0, Math.min(block.length, size - start), start);
	}
	closeSync(descriptor);
	return file;
}

/** Webhook → Read File → the given Video Hosting nodes one after the other, activated. */
async function activeWorkflow(
	path: string,
	file: string,
	uploadNodes: Record<string, INode['parameters']>,
): Promise<{ id: string; path: string }> {
	const nodes: INode[] = [
		node('Webhook', 'n8n-nodes-base.webhook', 2, { path, httpMethod: 'POST' }),
		node('Read File', 'n8n-nodes-base.readWriteFile', 1, { fileSelector: file }),
		...Object.entries(uploadNodes).map(([name, parameters]) => ({
			...node(name, 'n8n-nodes-video-hosting.videoHosting', 1, { resource: 'upload', ...parameters }),
			credentials: { videoHostingApi: { id: credential.id, name: credential.name } },
		})),
	];
	const connections: IConnections = {};
	for (const [index, { name }] of nodes.slice(1).entries()) {
		const previous = nodes[index]?.name ?? '';
		connections[previous] = { main: [[{ node: name, type: 'main', index: 0 }]] };
	}
	const { id } = await n8n.rest.createWorkflow({
		name: `Upload ${path}`,
		nodes,
		connections,
		settings: { saveExecutionProgress: true },
	});
	await n8n.rest.activateWorkflow(id);
	return { id, path };
}

function node(name: string, type: string, typeVersion: number, parameters: INode['parameters']): INode {
	return { id: name, name, type, typeVersion, position: [0, 0], parameters, webhookId: name };
}

/** Starts a production execution; its ID is known a moment later. */
async function start({
	id,
	path,
}: {
	id: string;
	path: string;
}): Promise<{ executionId(): Promise<string> }> {
	const before = (await n8n.rest.executions(id)).length;
	const response = await fetch(`${n8n.url}/webhook/${path}`, { method: 'POST' });
	expect(response.status).toBe(200);
	return {
		executionId: async () =>
			await poll(`an execution of workflow ${id}`, 30_000, async () => {
				const executions = await n8n.rest.executions(id);
				return executions.length > before ? executions[0]?.id : undefined;
			}),
	};
}

function onlyUpload(): Upload {
	expect(service.state.uploads).toHaveLength(1);
	const [upload] = service.state.uploads;
	if (!upload) throw new Error('There is no upload');
	return upload;
}

function uploadOutput(execution: Execution): IDataObject | undefined {
	return outputOf(execution, 'Upload')[0]?.json;
}

async function sha256(file: string): Promise<string> {
	const hash = createHash('sha256');
	for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
	return hash.digest('hex');
}
