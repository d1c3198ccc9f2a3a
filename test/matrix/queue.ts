import { strict as assert } from 'node:assert';

import type { INode } from 'n8n-workflow';

import { errorOf, outputOf, type Execution } from '../n8n/execution';
import { poll } from '../n8n/poll';
import { n8n1, type N8nRelease } from '../n8n/releases';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import type { RunningService } from '../fakeService';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile, type TestFile } from './files';
import { remembersAcrossWorkers } from './queueMemory';
import { startQueueMode, type QueueMode, type Worker } from './queueMode';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, runToSuccess } from './subject';
import { triggersOnce } from './trigger';
import * as nodes from '../n8n/workflow';

const uploads = 12;
const fileBytes = 4_000_000;
const halfway = 1_000_000;
const deadlineMilliseconds = 300_000;
/** Parameters of an upload of what was posted to the webhook. */
const uploadOfPost = { fileName: '={{ $json.query.name }}', options: { maxWaitMinutes: 10 } };

interface Subject {
	release: N8nRelease;
	queue: QueueMode;
	service: RunningService;
	credential: StoredCredential;
}

/** One main process and two workers, as users run n8n when one process is not enough. */
export async function checkQueue(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	await inEachRelease(checklist, setup, async (place) => await checkRelease(checklist, setup, place));
}

async function checkRelease(checklist: Checklist, setup: MatrixSetup, place: Place): Promise<void> {
	const { release } = place;
	const service = await place.service();
	const queue = await startQueueMode(setup, release, 2);
	place.endLater(queue.remove);
	const credential = await credentialFor(queue.main, service);
	const subject = { release, queue, service, credential };
	const row = async (what: string, work: () => Promise<string>) =>
		await checklist.row(what, `${release.version} queue`, async () => {
			service.clearFaults();
			service.state.uploads = [];
			service.requests.length = 0;
			return await work();
		});
	await row(`${uploads} uploads at once on 2 workers`, async () => await uploadsAtOnce(subject));
	await row('trigger', async () => await triggersOnce({ n8n: queue.main, service, credential }));
	await row('worker killed in mid-upload', async () => await survivesKilledWorker(subject));
	await row('worker killed, upload ID known', async () => await resumesAfterKilledWorker(subject));
	await row('unfinished uploads on another worker', async () => await remembersAcrossWorkers(queue));
}

async function uploadsAtOnce(subject: Subject): Promise<string> {
	const { queue, service } = subject;
	// Long enough that each worker meets the other's uploads.
	service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 300, times: uploads });
	const workflow = await activeWebhook(subject, 'at-once', nodes.upload(subject.credential, uploadOfPost));
	const files = Array.from({ length: uploads }, (_, number) =>
		writeTestFile(queue.main.filesFolder, `at-once-${number}.mp4`, fileBytes),
	);
	await Promise.all(files.map(async (file) => await post(subject, workflow, { name: file.name }, file)));
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

/** The killed upload keeps the slot until the service forgets it; then the others go on, and the file is sent again. */
async function survivesKilledWorker(subject: Subject): Promise<string> {
	const { queue, service } = subject;
	service.settings.unfinishedUploadExpiryMs = 15_000;
	const workflow = await activeWebhook(subject, 'killed', nodes.upload(subject.credential, uploadOfPost));
	const [file, ...others] = ['killed', 'other-1', 'other-2'].map((name) =>
		writeTestFile(queue.main.filesFolder, `${name}.mp4`, fileBytes),
	);
	assert.ok(file);
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: halfway });
	await post(subject, workflow, { name: file.name }, file);
	const killed = await killWorkerHalfway(subject, workflow, file);
	for (const other of others) await post(subject, workflow, { name: other.name }, other);
	if (abandonsJobs(subject)) await post(subject, workflow, { name: file.name }, file);
	const executions = await executionsOf(subject, workflow, 3, killed);
	for (const execution of executions) assert.equal(execution.status, 'success', errorOf(execution));
	for (const one of [file, ...others]) requireArrived(service.state.uploads, one);
	return `service forgets it after 15 s: 2 others and the file of the killed worker identical, ${spread(executions.map(waitedMs))}`;
}

/** With the upload ID there is no need to wait until the service forgets the upload: Resume continues at its offset. */
async function resumesAfterKilledWorker(subject: Subject): Promise<string> {
	const { queue, service, credential } = subject;
	service.settings.unfinishedUploadExpiryMs = 0;
	await queue.startWorkers(1);
	const file = writeTestFile(queue.main.filesFolder, 'resumed.mp4', fileBytes);
	const create = nodes.videoHosting('Create Upload', credential, {
		...{ resource: 'upload', operation: 'create' },
		...{ fileName: file.name, size: file.bytes.length },
	});
	const created = await runToSuccess(queue.main, nodes.workflowOf('Create', [nodes.manualTrigger(), create]));
	const uploadId = outputOf(created, create.name)[0]?.json.uploadId;
	assert.ok(typeof uploadId === 'string');
	const workflow = await activeWebhook(
		subject,
		'resume',
		nodes.upload(credential, {
			...uploadOfPost,
			operation: 'resume',
			uploadId: '={{ $json.query.uploadId }}',
		}),
	);
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: halfway });
	await post(subject, workflow, { name: file.name, uploadId }, file);
	const killed = await killWorkerHalfway(subject, workflow, file);
	if (abandonsJobs(subject)) await post(subject, workflow, { name: file.name, uploadId }, file);
	const [execution] = await executionsOf(subject, workflow, 1, killed);
	assert.ok(execution);
	assert.equal(execution.status, 'success', errorOf(execution));
	const { bytesReceived } = requireArrived(service.state.uploads, file);
	assert.equal(bytesReceived, file.bytes.length, 'Bytes were sent twice');
	return `run again, it continues at byte ${halfway.toLocaleString('en')}, identical, no byte sent twice`;
}

/** Waits until the service has some of the file, and kills the worker that sends it. Returns the execution's ID. */
async function killWorkerHalfway(
	subject: Subject,
	workflow: StoredWorkflow,
	file: TestFile,
): Promise<string> {
	const { queue, service } = subject;
	await poll('the upload to be halfway', deadlineMilliseconds, () => {
		const upload = service.state.uploads.find(({ filename }) => filename === file.name);
		return upload?.offset === halfway || undefined;
	});
	const [execution] = await queue.main.rest.executions(workflow.id);
	const worker = queue.workers.find((candidate) => execution && hasRun(candidate, execution.id));
	assert.ok(execution && worker, 'No worker reports that it runs the upload');
	await worker.kill();
	return execution.id;
}

async function activeWebhook({ queue }: Subject, path: string, node: INode): Promise<StoredWorkflow> {
	const { rest } = queue.main;
	const workflow = await rest.createWorkflow(nodes.workflowOf(path, [nodes.webhook(path), node]));
	await rest.activateWorkflow(workflow.id);
	return workflow;
}

/** Posts the file to the webhook `name` of the workflow. */
async function post(
	{ queue }: Subject,
	{ id, name }: StoredWorkflow,
	query: Record<string, string>,
	file: TestFile,
): Promise<void> {
	const address = `${name}?${new URLSearchParams(query).toString()}`;
	const headers = { 'content-type': 'video/mp4' };
	await queue.main.rest.postToWebhook(id, address, { headers, body: file.bytes });
}

/**
 * In n8n 1.x another worker takes over the job of a dead one, once (QUEUE_WORKER_MAX_STALLED_COUNT). n8n 2.x abandons it and
 * keeps no data of it (processError of its workflow-runner.js), so that its Retry has nothing to run: what started the
 * execution has to start it again.
 */
const abandonsJobs = ({ release }: Subject) => release !== n8n1;

/** All executions of the workflow but the one that n8n abandoned, once there are `count` of them and all are over. */
async function executionsOf(
	{ queue, release }: Subject,
	workflow: StoredWorkflow,
	count: number,
	killed?: string,
): Promise<Execution[]> {
	const { rest } = queue.main;
	const summaries = await poll(`${count} executions`, deadlineMilliseconds, async () => {
		const executions = (await rest.executions(workflow.id)).filter(
			({ id }) => id !== killed || release === n8n1,
		);
		return executions.length >= count ? executions : undefined;
	});
	assert.equal(summaries.length, count, 'Executions');
	return await Promise.all(
		summaries.map(async ({ id }) => await rest.waitForExecution(id, deadlineMilliseconds)),
	);
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
