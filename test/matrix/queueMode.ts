import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installCommunityPackage } from '../n8n/communityPackage';
import { environmentOf } from '../n8n/environment';
import { freePort, startN8n, type RunningN8n } from '../n8n/instance';
import { installN8n } from '../n8n/installN8n';
import { poll } from '../n8n/poll';
import { startProgram, tailOf } from '../n8n/processes';
import { SetupError, type Report } from '../n8n/progress';
import type { N8nRelease } from '../n8n/releases';
import { startPostgres, startRedis } from './servers';

/** n8n in queue mode: a main process that handles webhooks and polls, and workers that run executions. */
export interface QueueMode {
	main: RunningN8n;
	/** All that were started. */
	workers: Worker[];
	/** @param concurrency how many executions each worker runs at a time; default: n8n's */
	startWorkers: (count: number, concurrency?: number) => Promise<void>;
	/** Ends all of it and deletes its data. */
	remove: () => Promise<void>;
}

export interface Worker {
	name: string;
	/** Whether the worker has started this execution. */
	hasRun: (executionId: string) => boolean;
	/** SIGKILL. */
	kill: () => Promise<void>;
}

interface Place {
	release: N8nRelease;
	tarball: string;
	report?: Report;
}

/**
 * Starts Redis, PostgreSQL and the main process. It and each worker have a user folder of their own, as on machines of their own.
 * A dead worker's executions are given up after half a minute instead of n8n's one to one and a half.
 */
export async function startQueueMode({ release, tarball, report = () => {} }: Place): Promise<QueueMode> {
	/** Newest last. */
	const started: Array<() => Promise<void>> = [];
	const remove = async () => {
		for (const end of started.splice(0).reverse()) await end();
	};
	try {
		const redis = await startRedis();
		started.push(redis.remove);
		const postgres = await startPostgres();
		started.push(postgres.remove);
		const env = queueEnvironment(redis.port, postgres.port);
		const main = await startN8n({ release, packageTarball: tarball, env, report });
		started.push(async () => await main.remove());
		const workers: Worker[] = [];
		const startWorkers = async (count: number, concurrency?: number) => {
			const args = concurrency === undefined ? [] : [`--concurrency=${concurrency}`];
			const starting = Array.from({ length: count }, async () => {
				const { worker, end } = await startWorker({ release, tarball, report }, args, env);
				started.push(end);
				workers.push(worker);
			});
			await Promise.all(starting);
		};
		return { main, workers, startWorkers, remove };
	} catch (error) {
		await remove();
		throw error;
	}
}

function queueEnvironment(redisPort: number, postgresPort: number): Record<string, string> {
	return {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		QUEUE_WORKER_LOCK_DURATION: '20000',
		QUEUE_WORKER_LOCK_RENEW_TIME: '5000',
		QUEUE_WORKER_STALLED_INTERVAL: '5000',
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgresPort),
		DB_POSTGRESDB_DATABASE: 'postgres',
		DB_POSTGRESDB_USER: 'n8n',
		N8N_ENCRYPTION_KEY: 'shared by main and workers',
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		// n8n 1.x offers it only when configured.
		N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
		OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
	};
}

async function startWorker(
	{ release, tarball, report = () => {} }: Place,
	args: string[],
	env: Record<string, string>,
): Promise<{ worker: Worker; end: () => Promise<void> }> {
	const provided = await installN8n(release, report);
	const userFolder = mkdtempSync(join(tmpdir(), 'n8n-worker-'));
	installCommunityPackage(tarball, userFolder);
	const logFile = join(userFolder, 'n8n.log');
	const ports = { editor: await freePort(), taskBroker: await freePort() };
	const program = await startProgram({
		command: provided.node,
		args: [provided.n8n, 'worker', ...args],
		cwd: userFolder,
		env: { ...environmentOf(provided, userFolder, ports), ...env },
		logFile,
	});
	const log = () => readFileSync(logFile, 'utf8');
	await poll('a worker to start', 120_000, () => {
		if (program.hasExited()) throw new SetupError(`A worker ended while starting:\n${tailOf(logFile, 30)}`);
		return log().includes('n8n worker is now ready') || undefined;
	});
	return {
		worker: {
			name: `worker ${program.pid}`,
			hasRun: (executionId) => log().includes(`Worker started execution ${executionId} `),
			kill: async () => await program.kill(),
		},
		end: async () => {
			await program.end(20_000);
			rmSync(userFolder, { recursive: true, force: true });
		},
	};
}
