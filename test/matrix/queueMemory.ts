import { strict as assert } from 'node:assert';
import { randomBytes } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { file, Scene, SIZE, type Ending } from '../endToEnd/uploadScene';
import { poll } from '../n8n/poll';
import type { QueueMode, Worker } from './queueMode';
import * as nodes from '../n8n/workflow';

const deadlineMilliseconds = 120_000;
const endings: Ending[] = ['failed', 'polling', 'cancelled', 'manual'];

/**
 * Uploads that one worker leaves unfinished and another worker runs again; new content on the first worker, which still
 * remembers an upload that the other one finished. No worker may write static data: n8n 2.41.1 starts new executions on a worker
 * without it (dist/workflow-runner.js, run; dist/executions/execution-data/types.js, toWorkflowSnapshot), and what an execution
 * saves replaces all of it.
 */
export async function remembersAcrossWorkers(queue: QueueMode): Promise<string> {
	const { rest } = queue.main;
	const scene = await Scene.start(queue.main, { slotHeldBy: 'transferring' });
	await Promise.all(queue.workers.map(async (worker) => await worker.remove()));
	const [first, second] = await queue.startWorkers(2, 1);
	assert.ok(first && second);
	try {
		const left = await withWorkerBusy(queue, second, async () => {
			const runs = [];
			for (const ending of endings) runs.push(await scene.leaveUnfinished(ending));
			return runs;
		});
		await withWorkerBusy(queue, first, async () => {
			for (const { workflow, sent, uploadId, ending } of left) {
				assert.equal(await scene.runAgain(workflow, sent), 'new', `On another worker after: ${ending}`);
				const resume = await scene.workflow({ operation: 'resume', uploadId });
				assert.equal(await scene.runAgain(resume, sent), 'resumed', `By its ID after: ${ending}`);
			}
		});
		await withWorkerBusy(queue, second, async () => {
			for (const { workflow, sent, ending } of left) {
				const found = await scene.runAgain(workflow, file(sent.name, { bytes: randomBytes(SIZE) }));
				assert.equal(found, 'new', `New content after: ${ending}`);
			}
		});
		for (const { workflow, ending, staticData } of left) {
			const { staticData: after } = await rest.workflow(workflow.id);
			assert.deepEqual(after, staticData, `A worker wrote static data: ${ending}`);
		}
	} finally {
		await scene.service.close();
	}
	return `${endings.join('; ')}: another worker starts a new upload; new content of the same name and size: sent in full; no worker writes static data`;
}

/**
 * Does something while a worker that runs one job at a time has a job that does not end, so that the other worker runs all
 * else. A job that the other worker takes is released again; as that one is busy until then, the next job is for this worker.
 */
async function withWorkerBusy<Result>(
	queue: QueueMode,
	worker: Worker,
	work: () => Promise<Result>,
): Promise<Result> {
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
		const job = await rest.postToWebhook(id, path);
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
	}
}
