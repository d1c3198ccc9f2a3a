import { randomUUID } from 'node:crypto';

import type { INode } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { expectArrived, writeTestFile, type TestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { n8n1 } from '../n8n/releases';
import { expectSuccess, outputOf, type StoredCredential, type StoredWorkflow } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from '../n8n/place';
import { startPostgres, startRedis } from './servers';

const uploads = 12;
const fileBytes = 4_000_000;
const halfway = 1_000_000;
const deadlineMilliseconds = 180_000;
/** Parameters of an upload of what was posted to the webhook. */
const uploadOfPost = { fileName: '={{ $json.query.name }}', options: { maxWaitMinutes: 10 } };

/** One main process and two workers, as users run n8n when one process is not enough. */
inEachRelease((place) => {
	let service: RunningService;
	let main: RunningN8n;
	let workers: RunningN8n[];
	let credential: StoredCredential;

	/**
	 * Starts a main process that handles webhooks and polls, and two workers that run executions, each with a user folder of its
	 * own, as on machines of their own.
	 */
	beforeAll(async () => {
		service = await place.service();
		const redis = await startRedis();
		place.endLater(redis.remove);
		const postgres = await startPostgres();
		place.endLater(postgres.remove);
		const env = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			// A dead worker's executions are given up after half a minute instead of n8n's one to one and a half.
			QUEUE_WORKER_LOCK_DURATION: '20000',
			QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
			QUEUE_WORKER_STALLED_INTERVAL: '5000',
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			N8N_ENCRYPTION_KEY: 'shared by main and workers',
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			// n8n 1.x offers it only when configured.
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
		};
		main = await place.n8n(env);
		workers = await Promise.all([place.n8n(env, ['worker']), place.n8n(env, ['worker'])]);
		credential = await credentialFor(main, service);
	}, startTimeout);
	beforeEach(() => {
		service.state.uploads = [];
		service.requests.length = 0;
	});

	it(`uploads ${uploads} files of executions on two workers, one at a time and through a cut`, async () => {
		// Long enough that each worker meets the other's uploads.
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 300, times: uploads });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: halfway, skip: 2 });
		const workflow = await webhookBefore(nodes.upload(credential, uploadOfPost));
		const files = Array.from({ length: uploads }, (_, number) =>
			writeTestFile(main.filesFolder, `at-once-${number}.mp4`, fileBytes),
		);
		await Promise.all(files.map(async (file) => await post(workflow, file)));
		const executions = await executionsOf(workflow, uploads);

		for (const file of files) expectArrived(service, file);
		expect(service.state.maxSimultaneousPatches).toBe(1);
		expect(new Set(executions.map(({ id }) => workerOf(id))).size).toBe(2);
	}, 180_000);

	it('starts one execution for one change of an event', async () => {
		const { rest } = main;
		const [event] = service.seedEvents(3);
		const workflow = await rest.createWorkflow(
			nodes.workflowOf('Trigger', [nodes.videoHostingTrigger(credential)]),
		);
		await rest.activateWorkflow(workflow);
		const polls = () => service.requestsOf('eventSearchAll').filter(({ status }) => status === 200).length;

		service.setEventStatus(event?.hash ?? '', 'LIVE');
		const [execution] = await executionsOf(workflow, 1);
		const before = polls();
		await service.until(() => polls() >= before + 2);
		await rest.deactivateWorkflow(workflow);
		expect(await rest.executions(workflow)).toHaveLength(1);
		expect(execution && outputOf(execution, nodes.TRIGGER)).toMatchObject([
			{ json: { hash: event?.hash, status: 'LIVE' } },
		]);
	}, 60_000);

	it('resumes an upload with a known ID after its worker was killed, and sends no byte twice', async () => {
		const file = writeTestFile(main.filesFolder, 'resumed.mp4', fileBytes);
		const create = nodes.upload(credential, { operation: 'create', fileName: file.name, size: fileBytes });
		const created = await main.rest.runToSuccess(nodes.workflowOf('Create', [nodes.manualTrigger(), create]));
		const uploadId = outputOf(created, nodes.UPLOAD)[0]?.json.uploadId;
		const workflow = await webhookBefore(
			nodes.upload(credential, { ...uploadOfPost, operation: 'resume', uploadId }),
		);
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: halfway });
		await post(workflow, file);
		await service.until(() => service.state.uploads[0]?.offset === halfway);
		const [killed] = await main.rest.executions(workflow);
		await workerOf(killed?.id ?? '')?.kill();
		// In n8n 1.x another worker takes over the job of a dead one, once (QUEUE_WORKER_MAX_STALLED_COUNT). n8n 2.x abandons it and
		// keeps no data of it (processError of its workflow-runner.js). So the webhook is called again.
		const isTakenOver = place.release === n8n1;
		if (!isTakenOver) await post(workflow, file);
		await executionsOf(workflow, 1, isTakenOver ? undefined : killed?.id);
		expect(expectArrived(service, file)).toBe(uploadId);
	}, 180_000);

	/** The worker that has started this execution. */
	function workerOf(executionId: string): RunningN8n | undefined {
		return workers.find((worker) => worker.log().includes(`Worker started execution ${executionId} `));
	}

	/** A published workflow that accepts a POST whose body is a file, and responds before it has run. */
	async function webhookBefore(last: INode): Promise<StoredWorkflow> {
		const path = randomUUID();
		const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
		const webhook = { ...nodes.node('Webhook', 'n8n-nodes-base.webhook', 2, parameters), webhookId: path };
		const { rest } = main;
		const workflow = await rest.createWorkflow(nodes.workflowOf(path, [webhook, last]));
		await rest.activateWorkflow(workflow);
		return workflow;
	}

	/** Posts a file as soon as n8n accepts it. */
	async function post({ name: path }: StoredWorkflow, { name, bytes }: TestFile): Promise<void> {
		const address = `${main.url}/webhook/${path}?name=${name}`;
		const headers = { 'content-type': 'video/mp4', connection: 'close' };
		await poll('n8n to accept a POST', 60_000, async () => {
			const { ok } = await fetch(address, { method: 'POST', headers, body: bytes });
			return ok || undefined;
		});
	}

	/** All executions of the workflow but the one that n8n abandoned, once there are `count` and all have succeeded. */
	async function executionsOf(workflow: StoredWorkflow, count: number, abandoned?: string) {
		const { rest } = main;
		const all = await poll(`${count} executions`, deadlineMilliseconds, async () => {
			const listed = (await rest.executions(workflow)).filter(({ id }) => id !== abandoned);
			return listed.length >= count ? listed : undefined;
		});
		expect(all).toHaveLength(count);
		const over = [];
		for (const { id } of all) over.push(expectSuccess(await rest.waitForExecution(id, deadlineMilliseconds)));
		return over;
	}
});
