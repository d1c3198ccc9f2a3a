import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { installCommunityPackage } from '../n8n/communityPackage';
import { environmentOf } from '../n8n/environment';
import { freePort, startN8n, type RunningN8n } from '../n8n/instance';
import { poll } from '../n8n/poll';
import { startProgram, tailOf, type StartedProgram } from '../n8n/processes';
import { SetupError, step, type Report } from '../n8n/progress';
import { installN8n } from '../n8n/installN8n';
import type { N8nRelease } from '../n8n/releases';
import { startPostgres, startRedis } from './servers';
import type { MatrixSetup } from './setup';

const workerStartDeadlineMilliseconds = 120_000;
const stopGraceMilliseconds = 20_000;

/** n8n in queue mode: a main process that handles webhooks and polls, and workers that run executions. */
export interface QueueMode {
	main: RunningN8n;
	workers: Worker[];
	/** @param concurrency how many executions each worker runs at a time; default: n8n's */
	startWorkers: (count: number, concurrency?: number) => Promise<Worker[]>;
	/** Ends all of it and deletes its data. */
	remove: () => Promise<void>;
}

export interface Worker {
	name: string;
	/** Its output so far. */
	log: () => string;
	/** SIGKILL. */
	kill: () => Promise<void>;
	remove: () => Promise<void>;
}

/**
 * Starts Redis, PostgreSQL, the main process and workers, each with a user folder of its own as on machines of their own.
 * A dead worker's executions are given up after half a minute instead of n8n's one to one and a half.
 */
export async function startQueueMode(
	{ tarball, report }: MatrixSetup,
	release: N8nRelease,
	workerCount: number,
): Promise<QueueMode> {
	/** Newest last. */
	const started: Array<() => Promise<void>> = [];
	const remove = async () => {
		for (const end of started.splice(0).reverse()) await end();
	};
	try {
		const redis = await startRedis(report);
		started.push(redis.remove);
		const postgres = await startPostgres(report);
		started.push(postgres.remove);
		const env = {
			EXECUTIONS_MODE: 'queue',
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
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
		const main = await startN8n({ release, packageTarball: tarball, env, report });
		started.push(async () => await main.remove());
		const workers: Worker[] = [];
		const startWorkers = async (count: number, concurrency?: number) => {
			const args = concurrency === undefined ? [] : [`--concurrency=${concurrency}`];
			const names = Array.from({ length: count }, (_, place) => `worker ${workers.length + place + 1}`);
			const starting = names.map(async (name) => {
				const worker = await startWorker(name, { release, tarball, env, report, args });
				started.push(worker.remove);
				return worker;
			});
			const newWorkers = await Promise.all(starting);
			workers.push(...newWorkers);
			return newWorkers;
		};
		await startWorkers(workerCount);
		return { main, workers, startWorkers, remove };
	} catch (error) {
		await remove();
		throw error;
	}
}

async function startWorker(
	name: string,
	{
		release,
		tarball,
		env,
		report,
		args,
	}: {
		release: N8nRelease;
		tarball: string;
		env: Record<string, string>;
		report: Report;
		/** Of n8n's command `worker`. */
		args: string[];
	},
): Promise<Worker> {
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
	const remove = async () => {
		await program.end(stopGraceMilliseconds);
		rmSync(userFolder, { recursive: true, force: true });
	};
	try {
		await step(report, `Starting ${name}`, async () => await untilReady(name, program, logFile));
	} catch (error) {
		await remove();
		throw error;
	}
	return {
		name,
		log: () => readFileSync(logFile, 'utf8'),
		kill: async () => await program.kill(),
		remove,
	};
}

async function untilReady(name: string, program: StartedProgram, logFile: string): Promise<void> {
	await poll(`${name} to start`, workerStartDeadlineMilliseconds, () => {
		if (program.hasExited()) throw new SetupError(`${name} ended while starting:\n${tailOf(logFile, 30)}`);
		return readFileSync(logFile, 'utf8').includes('n8n worker is now ready') || undefined;
	});
}
