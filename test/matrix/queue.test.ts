import { randomUUID } from 'node:crypto';

import type { RunningService } from '../fakeService';
import { expectArrived, writeTestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { expectSuccess, outputOf, type StoredCredential } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from '../n8n/place';
import { startPostgres, startRedis } from './servers';

const uploads = 12;

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
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_DATABASE: 'postgres',
			DB_POSTGRESDB_USER: 'n8n',
			N8N_ENCRYPTION_KEY: 'shared by main and workers',
			N8N_DEFAULT_BINARY_DATA_MODE: 'database',
			// n8n 1.x offers it only when configured.
			N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		};
		main = await place.n8n(env);
		workers = await Promise.all([place.n8n(env, ['worker']), place.n8n(env, ['worker'])]);
		credential = await credentialFor(main, service);
	}, startTimeout);

	it(`uploads ${uploads} files of executions on two workers, one at a time and through a cut`, async () => {
		// Long enough that each worker meets the other's uploads.
		service.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 300, times: uploads });
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 1_000_000, skip: 2 });
		const path = randomUUID();
		const posted = { httpMethod: 'POST', path, responseMode: 'onReceived', options: {} };
		const webhook = { ...nodes.node('Webhook', 'n8n-nodes-base.webhook', 2, posted), webhookId: path };
		const parameters = { fileName: '={{ $json.query.name }}', options: { maxWaitMinutes: 10 } };
		const workflow = await main.rest.createWorkflow(
			nodes.workflowOf('Uploads', [webhook, nodes.upload(credential, parameters)]),
		);
		await main.rest.activateWorkflow(workflow);
		const files = Array.from({ length: uploads }, (_, number) =>
			writeTestFile(main.filesFolder, `at-once-${number}.mp4`, 4_000_000),
		);
		const posting = files.map(async ({ name, bytes }) => {
			const address = `${main.url}/webhook/${path}?name=${name}`;
			const headers = { 'content-type': 'video/mp4', connection: 'close' };
			await poll('n8n to accept a POST', 60_000, async () => {
				const { ok } = await fetch(address, { method: 'POST', headers, body: bytes });
				return ok || undefined;
			});
		});
		await Promise.all(posting);
		const executions = await executionsOf(workflow, uploads);

		for (const file of files) expectArrived(service, file);
		expect(service.state.maxSimultaneousPatches).toBe(1);
		const workerOf = (id: string) =>
			workers.findIndex((worker) => worker.log().includes(`Worker started execution ${id} `));
		expect(new Set(executions.map(({ id }) => workerOf(id)))).toEqual(new Set([0, 1]));
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

	/** All executions of the workflow, once there are `count` and all have succeeded. */
	async function executionsOf(workflow: { id: string }, count: number) {
		const all = await poll(`${count} executions`, 180_000, async () => {
			const listed = await main.rest.executions(workflow);
			return listed.length >= count ? listed : undefined;
		});
		expect(all).toHaveLength(count);
		const over = [];
		for (const { id } of all) over.push(expectSuccess(await main.rest.waitForExecution(id)));
		return over;
	}
});
