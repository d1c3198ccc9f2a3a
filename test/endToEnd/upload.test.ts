import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { errorOf, outputOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { readFiles, UPLOAD, upload, webhook, workflowOf } from '../n8n/workflow';
import type { Upload } from '../fakeService';
import { setUpTestEnvironment, type TestEnvironment } from './testEnvironment';
import { file, Scene } from './uploadScene';

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

it('resumes the same file in the same process, and after n8n was killed by the ID in its log', async () => {
	const bytes = randomBytes(1_000_000);
	const files = [file('film.mp4', { bytes })];
	const workflow = await scene.workflow({ options: { returnVideo: false } });
	const { service } = scene;
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
	expect((await workflow.run(files)).error).toContain('Upload → Resume');
	expect((await workflow.run(files)).items).toMatchObject([
		{ complete: true, resumes: 1, bytesSent: 400_000 },
	]);
	expect(onlyUpload().bytesReceived).toBe(1_000_000);

	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 600_000 });
	await workflow.start(files);
	await service.until(() => service.state.uploads[1]?.offset === 600_000);
	await n8n.kill();
	const uploadId = service.state.uploads[1]?.id ?? '';
	expect(n8n.log()).toContain(uploadId);
	await n8n.start();
	const resume = await scene.workflow({ operation: 'resume', uploadId });
	expect((await resume.run(files)).items).toMatchObject([{ complete: true, bytesSent: 400_000 }]);
	expect(service.state.uploads[1]?.bytesReceived).toBe(1_000_000);
	expect((await workflow.run(files)).items).toMatchObject([{ complete: true, bytesSent: 1_000_000 }]);
}, 120_000);

function onlyUpload(): Upload {
	const [one, ...others] = scene.service.state.uploads;
	if (!one || others.length > 0) throw new Error(`There are ${others.length + (one ? 1 : 0)} uploads`);
	return one;
}
