import { strict as assert } from 'node:assert';

import { errorOf } from '../../n8n/execution';
import { startQueueMode, type QueueMode } from '../../matrix/queueMode';
import * as nodes from '../../n8n/workflow';
import type { StoredCredential } from '../../n8n/rest';
import type { Upload } from '../../fakeService/state';
import type { Benchmark } from '../benchmark';
import { median } from '../rounds';
import { megabyte } from '../units';

const workerCount = 2;
const fileBytes = megabyte / 10;
/** How long the service takes for each file; in milliseconds. */
const uploadMilliseconds = 500;
const deadlineMilliseconds = 10 * 60_000;
const ITEMS = 'Items';

/** How long the service's one upload slot is free while two workers of queue mode have files to upload. */
export const slotIdle: Benchmark = {
	id: 'slot-idle',
	async run({ bed, report, quick }) {
		const count = quick ? 3 : 20;
		const setup = { tarball: await bed.tarball(), releases: [bed.release], report };
		const queue = await startQueueMode(setup, bed.release, 0);
		bed.endLater(queue.remove);
		// A worker with one job at a time leaves the second job to the other worker.
		await queue.startWorkers(workerCount, 1);
		const service = await bed.service();
		await service.remote.injectFault({
			on: 'uploadPatch',
			kind: 'delay',
			ms: uploadMilliseconds,
			times: workerCount * count,
		});
		const credential = await queue.main.rest.createCredential('videoHostingApi', 'Slot', service.credential);
		await uploadOnAllWorkers(queue, credential, count);
		const { uploads, maxSimultaneousPatches } = await service.remote.state();
		assert.equal(uploads.filter(({ complete }) => complete).length, workerCount * count);
		assert.equal(maxSimultaneousPatches, 1, 'Several uploads at a time');
		const idle = idleMilliseconds(uploads);
		const refusals = (await service.remote.requests()).filter(({ status }) => status === 429).length;
		const most = Math.max(...idle);
		return [
			{
				what: `${workerCount} workers of queue mode with ${count} uploads each: upload slot idle between uploads`,
				against: '–',
				target: '≤ 5 s',
				measured: `${(most / 1000).toFixed(1)} s at most, ${(median(idle) / 1000).toFixed(2)} s median, ${refusals} × 429`,
				met: most <= 5_000,
				figures: { idleMilliseconds: idle, refusals },
			},
		];
	},
};

/** Runs one workflow with `count` files for each worker, at the same time. Throws unless each worker has run one. */
async function uploadOnAllWorkers(
	{ main, workers }: QueueMode,
	credential: StoredCredential,
	count: number,
): Promise<void> {
	const upload = nodes.upload(credential, {
		fileName: '={{ $execution.id }}-{{ $itemIndex }}.mp4',
		options: { returnVideo: false, maxWaitMinutes: 10 },
	});
	const all = [nodes.manualTrigger(), nodes.noOperation(ITEMS), upload];
	const data = { data: Buffer.alloc(fileBytes).toString('base64'), mimeType: 'video/mp4' };
	const pinData = { [ITEMS]: Array.from({ length: count }, () => ({ json: {}, binary: { data } })) };
	const ids: string[] = [];
	for (const { name } of workers) {
		const workflow = { ...nodes.workflowOf(`Uploads of ${name}`, all), pinData };
		const { id } = await main.rest.createWorkflow(workflow);
		ids.push(id);
	}
	const executionIds = await Promise.all(
		ids.map(async (id) => await main.rest.runWorkflow(id, nodes.MANUAL_TRIGGER)),
	);
	for (const id of executionIds) {
		const execution = await main.rest.waitForExecution(id, deadlineMilliseconds);
		assert.equal(execution.status, 'success', errorOf(execution));
	}
	for (const worker of workers) {
		const ran = executionIds.filter((id) => worker.log().includes(`Worker started execution ${id} `));
		assert.equal(ran.length, 1, `Executions of ${worker.name}`);
	}
}

/** From the last byte of each upload to the creation of the next one. */
function idleMilliseconds(uploads: Upload[]): number[] {
	const ordered = [...uploads].sort((a, b) => a.createdAt - b.createdAt);
	return ordered.slice(1).map((upload, place) => {
		const before = ordered[place];
		assert.ok(before);
		return upload.createdAt - before.touchedAt;
	});
}
