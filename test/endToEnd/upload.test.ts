import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import { service, serviceForEachTest } from '../fakeService/serviceForEachTest';
import { errorOf, outputOf } from '../n8n/execution';
import { writeTestFile } from '../n8n/files';
import { startN8n, type RunningN8n } from '../n8n/instance';
import { packedPackage } from '../n8n/jestSetup';
import { n8n2 } from '../n8n/releases';
import { expectSuccess, type StoredCredential, type WorkflowJson } from '../n8n/rest';
import { manualTrigger, readFiles, UPLOAD, upload, workflowOf } from '../n8n/workflow';

const MIB = 1024 * 1024;

let n8n: RunningN8n;
let credential: StoredCredential;

beforeAll(async () => {
	n8n = await startN8n({ release: n8n2, packageTarball: packedPackage() });
}, 180_000);
afterAll(async () => {
	await n8n?.remove();
});
serviceForEachTest({ slotHeldBy: 'transferring' });
beforeEach(async () => {
	credential = await n8n.rest.createCredential('videoHostingApi', 'Upload', service.credential);
});

const workflowOfUpload = (path: string, parameters: IDataObject = {}): WorkflowJson =>
	workflowOf(path, [manualTrigger(), readFiles(path), upload(credential, parameters)]);

it('uploads 2 GB over a connection that is cut three times, in constant memory', async () => {
	const path = join(n8n.filesFolder, 'keynote.mp4');
	const hash = createHash('sha256');
	// No two MiB of it are alike for 67 MiB.
	const block = randomBytes(67 * MIB - 1);
	for (let left = 2_000 * MIB; left > 0; left -= block.length) {
		const part = block.subarray(0, left);
		appendFileSync(path, part);
		hash.update(part);
	}
	service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 450 * MIB, times: 3 });

	const workflow = await n8n.rest.createWorkflow(workflowOfUpload(path));
	let executionId = '';
	const growth = await n8n.memoryGrowth(async () => {
		executionId = await n8n.rest.runWorkflow(workflow);
		// Asking n8n whether the execution is over takes memory as well.
		await service.until(() => service.state.uploads[0]?.complete === true);
	});
	const execution = expectSuccess(await n8n.rest.waitForExecution(executionId));

	const offsets = service.requestsOf('uploadPatch').map(({ headers }) => Number(headers['upload-offset']));
	expect(offsets).toEqual([0, 450, 900, 1_350].map((offset) => offset * MIB));
	const arrived = { bytesReceived: 2_000 * MIB, sha256: hash.digest('hex') };
	expect(service.state.uploads).toMatchObject([arrived]);
	expect(outputOf(execution, UPLOAD)).toMatchObject([
		{ json: { complete: true, resumes: 3, offset: 2_000 * MIB } },
	]);
	// 150 MiB on a busy machine, most of it for n8n to begin the execution. A client that buffers the file takes 2,000.
	expect(growth).toBeLessThan(400 * MIB);
}, 300_000);

it('resumes the same file in the same process, and after n8n was killed by the ID in its log', async () => {
	const { path } = writeTestFile(n8n.filesFolder, 'film.mp4', 1_000_000);
	const uploadFilm = workflowOfUpload(path, { options: { returnVideo: false } });
	service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
	expect(errorOf(await n8n.rest.runToEnd(uploadFilm))).toContain('Upload → Resume');
	const rest = { complete: true, bytesSent: 400_000 };
	expect(await outputOfRun(uploadFilm)).toMatchObject([{ ...rest, resumes: 1 }]);
	expect(service.state.uploads).toMatchObject([{ bytesReceived: 1_000_000 }]);

	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 600_000 });
	await n8n.rest.runWorkflow(await n8n.rest.createWorkflow(uploadFilm));
	await service.until(() => service.state.uploads[1]?.offset === 600_000);
	await n8n.kill();
	const uploadId = service.state.uploads[1]?.id ?? '';
	expect(n8n.log()).toContain(uploadId);
	await n8n.start();
	expect(await outputOfRun(workflowOfUpload(path, { operation: 'resume', uploadId }))).toMatchObject([rest]);
	expect(service.state.uploads[1]?.bytesReceived).toBe(1_000_000);
	expect(await outputOfRun(uploadFilm)).toMatchObject([{ complete: true, bytesSent: 1_000_000 }]);
}, 120_000);

it('ends the transfer of a cancelled execution, and the next one sends the rest', async () => {
	const { path } = writeTestFile(n8n.filesFolder, 'cancelled.mp4', 1_000_000);
	service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 600_000 });
	const id = await n8n.rest.runWorkflow(await n8n.rest.createWorkflow(workflowOfUpload(path)));
	await service.until(() => service.state.uploads[0]?.offset === 600_000);
	await n8n.rest.post(`/executions/${id}/stop`, {});
	await n8n.rest.waitForExecution(id);
	expect(await outputOfRun(workflowOfUpload(path))).toMatchObject([{ complete: true, bytesSent: 400_000 }]);
});

async function outputOfRun(workflow: WorkflowJson): Promise<IDataObject[]> {
	return outputOf(await n8n.rest.runToSuccess(workflow), UPLOAD).map(({ json }) => json);
}
