import { strict as assert } from 'node:assert';

import type { Upload } from '../../fakeService/state';
import { startQueueMode } from '../../matrix/queueMode';
import { errorOf } from '../../n8n/execution';
import { n8n2 } from '../../n8n/releases';
import * as nodes from '../../n8n/workflow';
import { median, megabyte } from '../measure';
import type { Benchmark } from '../testBed';

const workerCount = 2;
const ITEMS = 'Items';

/** How long the service's one upload slot is free while two workers of queue mode have files to upload. */
export const uploadWorkers: Benchmark = async ({ bed, report, quick }) => {
	const count = quick ? 3 : 20;
	const queue = await startQueueMode({ release: n8n2, tarball: bed.tarball, report });
	bed.endLater(queue.remove);
	// A worker with one job at a time leaves the second job to the other worker.
	await queue.startWorkers(workerCount, 1);
	const service = await bed.service();
	const times = workerCount * count;
	await service.remote.injectFault({ on: 'uploadPatch', kind: 'delay', ms: 500, times });
	const { rest } = queue.main;
	const credential = await rest.createCredential('videoHostingApi', 'Workers', service.credential);
	const fileName = '={{ $execution.id }}-{{ $itemIndex }}.mp4';
	const upload = nodes.upload(credential, { fileName, options: { returnVideo: false, maxWaitMinutes: 10 } });
	const data = { data: Buffer.alloc(megabyte / 10).toString('base64'), mimeType: 'video/mp4' };
	const pinData = { [ITEMS]: Array.from({ length: count }, () => ({ json: {}, binary: { data } })) };
	const workflow = nodes.workflowOf('Uploads', [nodes.manualTrigger(), nodes.noOperation(ITEMS), upload]);
	const { id } = await rest.createWorkflow({ ...workflow, pinData });
	const run = async () => await rest.runWorkflow(id, nodes.MANUAL_TRIGGER);
	const executions = [await run(), await run()];
	for (const executionId of executions) {
		const execution = await rest.waitForExecution(executionId, 10 * 60_000);
		assert.equal(execution.status, 'success', errorOf(execution));
	}
	for (const { name, hasRun } of queue.workers)
		assert.equal(executions.filter(hasRun).length, 1, `Executions of ${name}`);

	const { uploads, maxSimultaneousPatches } = await service.remote.state();
	assert.equal(uploads.filter(({ complete }) => complete).length, workerCount * count);
	assert.equal(maxSimultaneousPatches, 1, 'Several uploads at a time');
	const idle = idleMilliseconds(uploads);
	const most = Math.max(...idle);
	return [
		{
			what: `${workerCount} workers of queue mode with ${count} uploads each: upload slot idle between uploads`,
			against: '–',
			target: '≤ 5 s',
			measured: `${(most / 1000).toFixed(1)} s at most, ${(median(idle) / 1000).toFixed(2)} s median`,
			met: most <= 5_000,
			figures: { idleMilliseconds: idle },
		},
	];
};

/** From the last byte of each upload to the creation of the next one. */
function idleMilliseconds(uploads: Upload[]): number[] {
	const ordered = [...uploads].sort((a, b) => a.createdAt - b.createdAt);
	return ordered.slice(1).map((next, place) => next.createdAt - (ordered[place]?.touchedAt ?? NaN));
}
