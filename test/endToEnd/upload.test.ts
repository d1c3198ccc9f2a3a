import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { readFiles, UPLOAD, upload, webhook, workflowOf } from '../n8n/workflow';
import type { Upload } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';
import { CUT, file, Scene, SIZE, type SceneFile, type UnfinishedUpload } from './uploadScene';

const MIB = 1024 * 1024;

let environment: TestEnvironment;
let n8n: RunningN8n;
let scene: Scene;

beforeAll(async () => {
	environment = await setUpTestEnvironment({}, { N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '2' });
	({ n8n } = environment);
}, 180_000);
afterAll(async () => {
	await environment?.remove();
});
beforeEach(async () => {
	scene = await Scene.start(n8n, { slotHeldBy: 'transferring' });
});
afterEach(async () => {
	await scene.service.close();
});

it('uploads 2 GB over a connection that is cut three times, in constant memory', async () => {
	const { service, credential } = scene;
	const path = join(n8n.filesFolder, 'keynote.mp4');
	const hash = createHash('sha256');
	// No two MiB of it are alike for 67 MiB.
	const block = randomBytes(67 * MIB - 1);
	for (let left = 2_000 * MIB; left > 0; left -= block.length) {
		const part = block.subarray(0, left);
		appendFileSync(path, part);
		hash.update(part);
	}
	const nodes = [webhook('two-gigabytes'), readFiles(path), upload(credential)];
	const { id } = await n8n.rest.createWorkflow(workflowOf('Two gigabytes', nodes));
	await n8n.rest.activateWorkflow(id);
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 450 * MIB, times: 3 });

	const started = service.until(() => (service.state.uploads[0]?.offset ?? 0) > 0);
	const executionId = await n8n.rest.postToWebhook(id, 'two-gigabytes');
	await started;
	n8n.forgetPeakRss();
	const before = n8n.memory().rss;
	// Asking n8n whether the execution is over takes memory as well.
	await service.until(() => service.state.uploads[0]?.complete === true);
	const growth = n8n.memory().peakRss - before;
	const execution = await n8n.rest.waitForExecution(executionId, 240_000);

	expect(errorOf(execution)).toBe('');
	const arrived = onlyUpload();
	expect(arrived).toMatchObject({ bytesReceived: 2_000 * MIB, sha256: hash.digest('hex') });
	expect(arrived.patches.map(({ offset }) => offset)).toEqual([0, 450 * MIB, 900 * MIB, 1_350 * MIB]);
	const [item] = outputOf(execution, UPLOAD);
	expect(item?.json).toMatchObject({ complete: true, resumes: 3, offset: 2_000 * MIB });
	// 26 MiB on an idle machine; V8 collects garbage later where other programs take the processor. A client that buffers the file
	// would take 2,000.
	expect(growth).toBeLessThan(128 * MIB);
}, 300_000);

describe('an unfinished upload is remembered as documented in the table', () => {
	const endings = ['failed', 'cancelled', 'manual', 'polling'] as const;

	/** Leaves an upload in each way; then another one whose file changes before the next run. */
	async function firstRuns(): Promise<UnfinishedUpload[]> {
		const left = [];
		for (const ending of endings) left.push(await scene.leaveUnfinished(ending));
		const { sent, ...changed } = await scene.leaveUnfinished('failed');
		return [...left, { ...changed, sent: bigFile(sent.name) }];
	}

	async function secondRuns(left: UnfinishedUpload[]): Promise<string[]> {
		const seen = [];
		for (const { workflow, sent } of left) seen.push(await scene.runAgain(workflow, sent));
		return seen;
	}

	it('in the same process', async () => {
		expect(await secondRuns(await firstRuns())).toEqual([
			...['resumed', 'resumed', 'resumed', 'resumed', 'new'],
		]);
	}, 300_000);

	it('after n8n was killed; what was cut is finished by its ID in the log, the two-step form by retrying', async () => {
		const left = await firstRuns();
		const twoStep = await Scene.start(n8n);
		const create = { operation: 'create', fileName: 'steps.mp4', size: SIZE };
		const steps = await twoStep.workflow(
			{ operation: 'resume', uploadId: '={{ $json.uploadId }}' },
			{ before: [twoStep.node('Create', create)], settings: { saveExecutionProgress: true } },
		);
		const files = [bigFile('steps.mp4')];
		twoStep.service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: CUT });
		const crashed = await steps.start(files);
		await twoStep.service.until(() => twoStep.service.state.uploads[0]?.offset === CUT);
		const killed = await scene.leaveUnfinished('killed');
		left.push(killed);
		const { uploadId } = killed;
		expect(n8n.log()).toContain(uploadId);

		await n8n.start();

		// n8n saves no static data of a cancelled execution, whenever it was written: the hook that saves runs without it
		// (n8n-core 2.41.1 dist/execution-engine/workflow-execute.js, setupCancellation).
		expect(await secondRuns(left)).toEqual(['resumed', 'new', 'new', 'new', 'new', 'new']);
		const resume = await scene.workflow({ operation: 'resume', uploadId });
		expect(await scene.runAgain(resume, killed.sent)).toBe('resumed');
		expect(['crashed', 'error']).toContain((await n8n.rest.waitForExecution(crashed.id)).status);
		const execution = await n8n.rest.retryExecution(crashed.id);
		expect(errorOf(execution)).toBe('');
		expect(outputOf(execution, UPLOAD)).toMatchObject([{ json: { bytesSent: SIZE - CUT } }]);
		expect(twoStep.namesOf(files)).toEqual([['steps.mp4']]);
		expect(twoStep.service.state.uploads).toMatchObject([{ bytesReceived: SIZE }]);
		await twoStep.service.close();
	}, 300_000);
});

function bigFile(name: string): SceneFile {
	return file(name, { bytes: randomBytes(SIZE) });
}

function onlyUpload(): Upload {
	const [one, ...others] = scene.service.state.uploads;
	if (!one || others.length > 0) throw new Error(`There are ${others.length + (one ? 1 : 0)} uploads`);
	return one;
}
