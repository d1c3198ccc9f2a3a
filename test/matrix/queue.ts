import { strict as assert } from 'node:assert';

import { errorOf, outputOf, type Execution } from '../n8n/execution';
import { poll } from '../n8n/poll';
import { n8n2 } from '../n8n/releases';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import { startService, type RunningService } from '../service';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile, type TestFile } from './files';
import { startQueueMode, type QueueMode, type Worker } from './queueMode';
import type { MatrixSetup } from './setup';
import { triggersOnce } from './versions';
import * as nodes from './workflow';

const uploads = 12;
const fileBytes = 4_000_000;
const deadlineMilliseconds = 300_000;

interface Subject {
	queue: QueueMode;
	service: RunningService;
	credential: StoredCredential;
}

/** One main process and two workers, as users run n8n when one process is not enough. */
export async function checkQueue(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	const service = await startService();
	const queue = await startQueueMode(setup, n8n2, 2);
	try {
		const credential = await queue.main.rest.createCredential('videoHostingApi', 'Video Hosting', service.credential);
		const subject = { queue, service, credential };
		const row = async (what: string, work: () => Promise<string>) =>
			await checklist.row(what, `${n8n2.version} queue`, async () => {
				service.clearFaults();
				service.state.uploads = [];
				service.requests.length = 0;
				return await work();
			});
		await row(`${uploads} uploads at once on 2 workers`, async () => await uploadsAtOnce(subject));
		await row('trigger', async () => await triggersOnce({ n8n: queue.main, service, credential }));
		await row('worker killed in mid-upload', async () => await survivesKilledWorker(subject));
	} finally {
		await queue.remove();
		await service.close();
	}
}

async function uploadsAtOnce(subject: Subject): Promise<string> {
	const { queue, service } = subject;
	// Long enough that each worker meets the other's uploads.
	service.order({ on: 'uploadPatch', kind: 'delay', ms: 300, times: uploads });
	const workflow = await activeWebhook(subject, 'uploads-at-once');
	const files = Array.from({ length: uploads }, (_, number) =>
		writeTestFile(queue.main.filesFolder, `at-once-${number}.mp4`, fileBytes),
	);
	await Promise.all(files.map(async (file) => await post(subject, 'uploads-at-once', file)));
	const executions = await executionsOf(subject, workflow, uploads);

	for (const execution of executions) assert.equal(execution.status, 'success', errorOf(execution));
	for (const file of files) requireArrived(service.state.uploads, file);
	assert.equal(service.state.maxSimultaneousPatches, 1, 'The service saw several uploads at a time');
	const shares = queue.workers.map((worker) => executions.filter(({ id }) => hasRun(worker, id)).length);
	assert.ok(
		shares.every((share) => share > 0),
		`A worker had nothing to do: ${shares.join(' and ')} executions`,
	);
	const refusals = service.requests.filter(({ status }) => status === 429).length;
	return `all identical, ${shares.join(' + ')} per worker, ${refusals} × 429, ${spread(executions.map(waitedMs))}`;
}

/** The upload hangs at the service, its worker is killed, and the other worker has uploads of its own waiting. */
async function survivesKilledWorker(subject: Subject): Promise<string> {
	const { queue, service } = subject;
	service.settings.unfinishedUploadExpiryMs = 15_000;
	service.order({ on: 'uploadPatch', kind: 'hang', afterBytes: 1_000_000 });
	const workflow = await activeWebhook(subject, 'killed-worker');
	const [killed, ...others] = ['killed', 'other-1', 'other-2'].map((name) =>
		writeTestFile(queue.main.filesFolder, `${name}.mp4`, fileBytes),
	);
	assert.ok(killed);
	await post(subject, 'killed-worker', killed);
	const half = () => service.state.uploads.find(({ filename }) => filename === killed.name);
	await poll('the upload to be half done', deadlineMilliseconds, async () => half()?.offset === 1_000_000 || undefined);
	const [summary] = await queue.main.rest.executions(workflow.id);
	assert.ok(summary);
	const victim = queue.workers.find((worker) => hasRun(worker, summary.id));
	assert.ok(victim, 'No worker says that it runs the upload');
	await victim.kill();

	for (const file of others) await post(subject, 'killed-worker', file);
	const executions = await executionsOf(subject, workflow, 3);
	for (const file of others) requireArrived(service.state.uploads, file);
	const crashed = executions.find(({ id }) => id === summary.id);
	assert.ok(crashed && crashed.status !== 'success');
	const waits = executions.filter(({ id }) => id !== summary.id).map(waitedMs);
	const retried = await queue.main.rest.retryExecution(summary.id);
	assert.equal(retried.status, 'success', errorOf(retried));
	requireArrived(service.state.uploads, killed);
	return `others went on (${spread(waits)}), execution ${crashed.status}, file complete after Retry`;
}

async function activeWebhook({ queue, credential }: Subject, path: string): Promise<StoredWorkflow> {
	const { rest } = queue.main;
	const workflow = await rest.createWorkflow(
		nodes.workflowOf(path, [
			nodes.webhook(path),
			nodes.upload(credential, { fileName: '={{ $json.query.name }}', options: { maxWaitMinutes: 10 } }),
		]),
	);
	await rest.activateWorkflow(workflow.id);
	return workflow;
}

async function post({ queue }: Subject, path: string, file: TestFile): Promise<void> {
	const response = await fetch(`${queue.main.url}/webhook/${path}?name=${file.name}`, {
		method: 'POST',
		headers: { 'content-type': 'video/mp4' },
		body: file.bytes,
	});
	assert.ok(response.ok, `The webhook answered ${response.status} ${await response.text()}`);
}

/** All executions of the workflow, once there are so many and all are over. */
async function executionsOf({ queue }: Subject, workflow: StoredWorkflow, count: number): Promise<Execution[]> {
	const { rest } = queue.main;
	const summaries = await poll(`${count} executions`, deadlineMilliseconds, async () => {
		const executions = await rest.executions(workflow.id);
		return executions.length >= count ? executions : undefined;
	});
	assert.equal(summaries.length, count, 'Executions');
	return await Promise.all(summaries.map(async ({ id }) => await rest.waitForExecution(id, deadlineMilliseconds)));
}

function hasRun(worker: Worker, executionId: string): boolean {
	return worker.log().includes(`Worker started execution ${executionId} `);
}

/** How long the upload waited for the service's one upload slot, in milliseconds. */
function waitedMs(execution: Execution): number {
	const [item] = outputOf(execution, nodes.UPLOAD);
	return Number(item?.json.waitedMs);
}

function spread(milliseconds: number[]): string {
	const sorted = milliseconds.map((waited) => waited / 1000).sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]?.toFixed(1);
	return `waited ${at(0)} s at least, ${at(0.5)} s median, ${at(1)} s at most`;
}
