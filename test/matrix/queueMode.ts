import type { RunningN8n } from '../n8n/instance';
import type { Place } from './place';
import { startPostgres, startRedis } from './servers';

/** n8n in queue mode: a main process that handles webhooks and polls, and workers that run executions. */
export interface QueueMode {
	main: RunningN8n;
	workers: RunningN8n[];
}

/**
 * Starts Redis, PostgreSQL, the main process and two workers, each with a user folder of its own, as on machines of their own.
 * A dead worker's executions are given up after half a minute instead of n8n's one to one and a half.
 */
export async function startQueueMode({ n8n, endLater }: Place): Promise<QueueMode> {
	const redis = await startRedis();
	endLater(redis.remove);
	const postgres = await startPostgres();
	endLater(postgres.remove);
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
	const main = await n8n(env);
	const workers = await Promise.all([n8n(env, ['worker']), n8n(env, ['worker'])]);
	return { main, workers };
}

/** The worker that has started this execution. */
export function workerOf(executionId: string, { workers }: QueueMode): RunningN8n | undefined {
	return workers.find((worker) => worker.log().includes(`Worker started execution ${executionId} `));
}
