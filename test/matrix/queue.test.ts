import type { INode } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { errorOf, outputOf, type Execution } from '../n8n/execution';
import { expectArrived, writeTestFile, type TestFile } from '../n8n/files';
import { packedPackage } from '../n8n/jestSetup';
import { poll } from '../n8n/poll';
import { n8n1 } from '../n8n/releases';
import type { StoredCredential, StoredWorkflow } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, runToSuccess, startTimeout } from './place';
import { startQueueMode, type QueueMode } from './queueMode';
import { expectOneExecution } from './trigger';

const uploads = 12;
const fileBytes = 4_000_000;
const halfway = 1_000_000;
const deadlineMilliseconds = 300_000;
/** Parameters of an upload of what was posted to the webhook. */
const uploadOfPost = { fileName: '={{ $json.query.name }}', options: { maxWaitMinutes: 10 } };

/** One main process and two workers, as users run n8n when one process is not enough. */
inEachRelease((place) => {
	let service: RunningService;
	let queue: QueueMode;
	let credential: StoredCredential;
	/**
	 * In n8n 1.x another worker takes over the job of a dead one, once (QUEUE_WORKER_MAX_STALLED_COUNT). n8n 2.x abandons it and
	 * keeps no data of it (processError of its workflow-runner.js), so what started the execution has to start it again.
	 */
	const abandonsJobs = place.release !== n8n1;

	beforeAll(async () => {
		service = await place.service();
		queue = await startQueueMode({ release: place.release, tarball: packedPackage() });
		place.endLater(queue.remove);
		await queue.startWorkers(2);
		credential = await credentialFor(queue.main, service);
	}, startTimeout);
	beforeEach(() => {
		service.clearFaults();
		service.state.uploads = [];
		service.requests.length = 0;
	});

	it(
		`uploads ${uploads} files of executions on two workers, one at a time`,
		async () => {
			// Long enough that each worker meets the other's uploads.
			service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 300, times: uploads });
			const workflow = await webhookBefore(nodes.upload(credential, uploadOfPost));
			const files = Array.from({ length: uploads }, (_, number) =>
				writeTestFile(queue.main.filesFolder, `at-once-${number}.mp4`, fileBytes),
			);
			await Promise.all(files.map(async (file) => await post(workflow, file)));
			const executions = await executionsOf(workflow, uploads);

			expect(executions.map(errorOf)).toEqual(executions.map(() => ''));
			for (const file of files) expectArrived(service.state.uploads, file);
			expect(service.state.maxSimultaneousPatches).toBe(1);
			for (const { hasRun } of queue.workers) expect(executions.some(({ id }) => hasRun(id))).toBe(true);
		},
		deadlineMilliseconds,
	);

	it('starts one execution for one change of an event', async () => {
		await expectOneExecution(queue.main, service, credential);
	}, 180_000);

	it(
		'goes on with other uploads once the service has forgotten that of a killed worker',
		async () => {
			service.settings.unfinishedUploadExpiryMs = 15_000;
			const workflow = await webhookBefore(nodes.upload(credential, uploadOfPost));
			const files = ['killed', 'other-1', 'other-2'].map((name) =>
				writeTestFile(queue.main.filesFolder, `${name}.mp4`, fileBytes),
			);
			const [file, ...others] = files;
			const killed = await killWorkerHalfway(workflow, file);
			for (const other of abandonsJobs ? [...others, file] : others) await post(workflow, other);
			const executions = await executionsOf(workflow, 3, killed);
			expect(executions.map(errorOf)).toEqual(['', '', '']);
			for (const each of files) expectArrived(service.state.uploads, each);
		},
		deadlineMilliseconds,
	);

	it(
		'resumes an upload with a known ID after its worker was killed, and sends no byte twice',
		async () => {
			service.settings.unfinishedUploadExpiryMs = 0;
			await queue.startWorkers(1);
			const file = writeTestFile(queue.main.filesFolder, 'resumed.mp4', fileBytes);
			const create = nodes.upload(credential, { operation: 'create', fileName: file.name, size: fileBytes });
			const created = await runToSuccess(
				queue.main,
				nodes.workflowOf('Create', [nodes.manualTrigger(), create]),
			);
			const uploadId = outputOf(created, nodes.UPLOAD)[0]?.json.uploadId;
			const resume = nodes.upload(credential, { ...uploadOfPost, operation: 'resume', uploadId });
			const workflow = await webhookBefore(resume);
			const killed = await killWorkerHalfway(workflow, file);
			if (abandonsJobs) await post(workflow, file);
			const executions = await executionsOf(workflow, 1, killed);
			expect(executions.map(errorOf)).toEqual(['']);
			expect(expectArrived(service.state.uploads, file)).toMatchObject({
				id: uploadId,
				bytesReceived: fileBytes,
			});
		},
		deadlineMilliseconds,
	);

	/** Posts the file, and kills the worker that sends it once the service has some of it. Returns the execution's ID. */
	async function killWorkerHalfway(workflow: StoredWorkflow, file: TestFile | undefined): Promise<string> {
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: halfway });
		const id = await post(workflow, file);
		await service.until(() =>
			service.state.uploads.some(({ filename, offset }) => filename === file?.name && offset === halfway),
		);
		await queue.workers.find(({ hasRun }) => hasRun(id))?.kill();
		return id;
	}

	async function webhookBefore(node: INode): Promise<StoredWorkflow> {
		const path = `uploads-${service.requests.length}-${Date.now()}`;
		const workflow = await queue.main.rest.createWorkflow(
			nodes.workflowOf(path, [nodes.webhook(path), node]),
		);
		await queue.main.rest.activateWorkflow(workflow.id);
		return workflow;
	}

	/** Returns the execution's ID; of several posts at once, that of any of them. */
	async function post({ id, name: path }: StoredWorkflow, file: TestFile | undefined): Promise<string> {
		if (!file) throw new Error('There is no such file');
		const headers = { 'content-type': 'video/mp4' };
		return await queue.main.rest.postToWebhook(id, `${path}?name=${file.name}`, {
			headers,
			body: file.bytes,
		});
	}

	/** All executions of the workflow but the one that n8n abandoned, once there are `count` of them and all are over. */
	async function executionsOf({ id }: StoredWorkflow, count: number, killed?: string): Promise<Execution[]> {
		const { rest } = queue.main;
		const counted = await poll(`${count} executions`, deadlineMilliseconds, async () => {
			const all = (await rest.executions(id)).filter((each) => each.id !== killed || !abandonsJobs);
			return all.length >= count ? all : undefined;
		});
		expect(counted).toHaveLength(count);
		return await Promise.all(
			counted.map(async (each) => await rest.waitForExecution(each.id, deadlineMilliseconds)),
		);
	}
});
