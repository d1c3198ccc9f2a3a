import { strict as assert } from 'node:assert';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { IConnections, INode } from 'n8n-workflow';

import { errorOf, outputOf, type Execution } from '../n8n/execution';
import { poll } from '../n8n/poll';
import type { RunningService } from '../fakeService';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { fileOf, type TestFile } from './files';
import type { QueueMode, Worker } from './queueMode';
import * as nodes from '../n8n/workflow';

const fileBytes = 1_000_000;
const cutAt = 600_000;
const deadlineMilliseconds = 120_000;
const ITEMS = 'Items';

/** How the first run of a workflow ends. */
type Ending = 'failed' | 'failed, polling trigger' | 'canceled' | 'manual';

const endings: Ending[] = ['failed', 'failed, polling trigger', 'canceled', 'manual'];

interface Subject {
	queue: QueueMode;
	service: RunningService;
	credential: StoredCredential;
}

/** One workflow that uploads what a webhook receives, or a pinned file when it is run by hand. */
interface Run {
	ending: Ending;
	workflowId: string;
	/** The workflow's static data before its first run. */
	staticData: unknown;
	/** Of the upload that the first run left. */
	uploadId: string;
	path: string;
	file: TestFile;
}

/**
 * Uploads that one worker leaves unfinished and another worker runs again; new content on the first worker, which still
 * remembers an upload that the other one finished. No worker may write static data: n8n 2.41.1 starts new executions on a worker
 * without it (dist/workflow-runner.js, run; dist/executions/execution-data/types.js, toWorkflowSnapshot), and what an execution
 * saves replaces all of it.
 */
export async function remembersAcrossWorkers(subject: Subject): Promise<string> {
	const { queue, service } = subject;
	service.settings.slotHeldBy = 'transferring';
	await Promise.all(queue.workers.map(async (worker) => await worker.remove()));
	const [first, second] = await queue.startWorkers(2, 1);
	assert.ok(first && second);
	const runs = await withWorkerBusy(subject, second, async () => {
		const left: Run[] = [];
		for (const ending of endings) left.push(await leaveUnfinished(subject, ending));
		return left;
	});
	await withWorkerBusy(subject, first, async () => {
		for (const run of runs) {
			assert.equal(await runAgain(subject, run, run.file), 'new', `On another worker after: ${run.ending}`);
			await resumeById(subject, run);
		}
	});
	await withWorkerBusy(subject, second, async () => {
		for (const run of runs) {
			const found = await runAgain(subject, run, fileOf(run.file.name, fileBytes));
			assert.equal(found, 'new', `New content after: ${run.ending}`);
		}
	});
	for (const { ending, workflowId, staticData } of runs) {
		const workflow = await queue.main.rest.workflow(workflowId);
		assert.deepEqual(workflow.staticData, staticData, `A worker wrote static data: ${ending}`);
	}
	return `${endings.join('; ')}: another worker starts a new upload; new content of the same name and size: sent in full; no worker writes static data`;
}

/** Runs the workflow on the file until the service has a part of it. */
async function leaveUnfinished(subject: Subject, ending: Ending): Promise<Run> {
	const { queue, service } = subject;
	const { rest } = queue.main;
	const path = ending.replace(/\W+/g, '-');
	const file = fileOf(`${path}.mp4`, fileBytes);
	const { id: workflowId, staticData } = await storeWorkflow(subject, path, ending, file);
	const created = service.state.uploads.length;
	service.injectFault(
		ending === 'canceled'
			? { on: 'uploadPatch', kind: 'hang', afterBytes: cutAt }
			: { on: 'uploadPatch', kind: 'status', status: 400, afterBytes: cutAt },
	);
	const id =
		ending === 'manual'
			? await rest.runWorkflow(workflowId, nodes.MANUAL_TRIGGER)
			: await post(subject, workflowId, path, file);
	await poll(`${ending}: the cut`, deadlineMilliseconds, () => {
		return service.state.uploads[created]?.offset === cutAt || undefined;
	});
	if (ending === 'canceled') await rest.stopExecution(id);
	const { status } = await rest.waitForExecution(id, deadlineMilliseconds);
	assert.equal(status, ending === 'canceled' ? 'canceled' : 'error', ending);
	const uploadId = service.state.uploads[created]?.id;
	assert.ok(uploadId !== undefined);
	return { ending, workflowId, staticData, uploadId, path, file };
}

/** Uploads the content in the same workflow; returns whether an unfinished upload was resumed. Throws unless it arrives. */
async function runAgain(
	subject: Subject,
	{ workflowId, path, ending }: Run,
	file: TestFile,
): Promise<string> {
	const { queue, service } = subject;
	const created = service.state.uploads.length;
	const id = await post(subject, workflowId, path, file);
	const execution = await queue.main.rest.waitForExecution(id, deadlineMilliseconds);
	assert.equal(execution.status, 'success', `${ending}: ${errorOf(execution)}`);
	const uploadId = uploadIdOf(execution);
	const upload = service.state.uploads.find((one) => one.id === uploadId);
	assert.equal(upload?.sha256, file.sha256, `${ending}: other bytes arrived`);
	assert.equal(upload.bytesReceived, fileBytes, `${ending}: bytes were sent twice`);
	return service.state.uploads.length > created ? 'new' : 'resumed';
}

/** Completes the upload that the first run left, in a workflow of its own. */
async function resumeById(subject: Subject, { uploadId, path, file }: Run): Promise<void> {
	const { queue, service, credential } = subject;
	const { rest } = queue.main;
	const resumePath = `resume-${path}`;
	const parameters = { operation: 'resume', uploadId, fileName: file.name };
	const all = [nodes.webhook(resumePath), nodes.upload(credential, parameters)];
	const { id } = await rest.createWorkflow(nodes.workflowOf(resumePath, all));
	await rest.activateWorkflow(id);
	const execution = await rest.waitForExecution(
		await post(subject, id, resumePath, file),
		deadlineMilliseconds,
	);
	assert.equal(execution.status, 'success', `${resumePath}: ${errorOf(execution)}`);
	const upload = service.state.uploads.find((one) => one.id === uploadId);
	assert.equal(upload?.sha256, file.sha256, `${resumePath}: other bytes arrived`);
}

function uploadIdOf(execution: Execution): unknown {
	return outputOf(execution, nodes.UPLOAD)[0]?.json.uploadId;
}

async function storeWorkflow(
	{ queue, credential }: Subject,
	path: string,
	ending: Ending,
	{ name, bytes }: TestFile,
): Promise<StoredWorkflow> {
	const upload = nodes.upload(credential, { fileName: name, options: { returnVideo: false } });
	const webhook = nodes.webhook(path);
	const items = nodes.noOperation(ITEMS);
	const all: INode[] = [webhook, nodes.manualTrigger(), items, upload];
	if (ending === 'failed, polling trigger') all.push(nodes.videoHostingTrigger(credential));
	const connections: IConnections = {
		...nodes.chain(webhook.name, upload.name),
		...nodes.chain(nodes.MANUAL_TRIGGER, items.name, upload.name),
	};
	const data = { data: bytes.toString('base64'), mimeType: 'video/mp4', fileName: name };
	const { rest } = queue.main;
	const { id } = await rest.createWorkflow({
		...{ name: path, nodes: all, connections, settings: { executionOrder: 'v1' } },
		pinData: { [items.name]: [{ json: {}, binary: { data } }] },
	});
	await rest.activateWorkflow(id);
	return await rest.workflow(id);
}

/** Posts the file to the workflow's webhook; returns the ID of the execution. */
async function post({ queue }: Subject, workflowId: string, path: string, file?: TestFile): Promise<string> {
	const headers = { 'content-type': 'video/mp4' };
	const body = file?.bytes ?? 'nothing';
	return await queue.main.rest.postToWebhook(workflowId, path, { headers, body });
}

/**
 * Does something while a worker that runs one job at a time has a job that does not end, so that the other worker runs all
 * else. A job that the other worker takes is released again; as that one is busy until then, the next job is for this worker.
 */
async function withWorkerBusy<Result>(
	subject: Subject,
	worker: Worker,
	work: () => Promise<Result>,
): Promise<Result> {
	const { queue, service } = subject;
	const { rest } = queue.main;
	const held: ServerResponse[] = [];
	const server = createServer((_request, response) => held.push(response));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	// A server that listens on a TCP port has an AddressInfo; only pipes have a string.
	const { port } = server.address() as AddressInfo;
	const path = `busy-${port}`;
	const request = nodes.node('Hold', 'n8n-nodes-base.httpRequest', 4.2, { url: `http://127.0.0.1:${port}` });
	const { id } = await rest.createWorkflow(nodes.workflowOf(path, [nodes.webhook(path), request]));
	await rest.activateWorkflow(id);
	const jobs: string[] = [];
	const hold = async () => {
		const job = await post(subject, id, path);
		await poll(
			'a job that holds a worker',
			deadlineMilliseconds,
			() => held.length > jobs.length || undefined,
		);
		jobs.push(job);
		return worker.log().includes(`Worker started execution ${job} `);
	};
	try {
		if (!(await hold())) {
			assert.ok(await hold(), `No job came to ${worker.name}`);
			held[0]?.end('{}');
			await rest.waitForExecution(jobs[0] ?? '', deadlineMilliseconds);
		}
		return await work();
	} finally {
		for (const response of held) if (!response.writableEnded) response.end('{}');
		const last = jobs.at(-1);
		if (last !== undefined) await rest.waitForExecution(last, deadlineMilliseconds);
		await rest.deactivateWorkflow(id);
		server.close();
		service.clearFaults();
	}
}
