import { rmSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject } from 'n8n-workflow';

import type { RunningService } from '../fakeService';
import { newUpload } from '../fakeService/state';
import { expectArrived, mp4Of, sha256, writeTestFile, type TestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { n8n2 } from '../n8n/releases';
import { errorOf, expectSuccess, outputOf, type StoredCredential, type WorkflowJson } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout } from '../n8n/place';

const SIZE = 1_000_000;
const CUT = 600_000;

/** What uploads meet outside the node: memory, tokens, ends of executions, error outputs, other programs, files that are gone, loops. */
inEachRelease((place) => {
	let n8n: RunningN8n;
	let service: RunningService;
	let credential: StoredCredential;

	beforeAll(async () => {
		// With its editor, as users have it: its memory is measured.
		n8n = await place.n8n({ N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem', N8N_DISABLE_UI: 'false' });
	}, startTimeout);
	beforeEach(async () => {
		service = await place.service();
		credential = await credentialFor(n8n, service);
	});

	it('continues after its execution was cancelled, and after n8n was killed by the ID in the log', async () => {
		const file = writeTestFile(n8n.filesFolder, 'ended.mp4', SIZE);
		// In the binary mode `combined` of n8n 2.x, files are in the JSON, and an item is its JSON. n8n 1.x does not have it.
		const binaryPropertyName = place.release === n8n2 ? '_files.data' : 'data';
		const combined = (more: IDataObject = {}) => ({
			...uploadOf(file, { binaryPropertyName, ...more }),
			settings: { executionOrder: 'v1' as const, binaryMode: 'combined' as const },
		});
		const hangUp = async () => {
			service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: CUT });
			const id = await n8n.rest.runWorkflow(combined());
			await service.until(() => service.state.uploads.at(-1)?.offset === CUT);
			return id;
		};
		service.settings.slotHeldBy = 'transferring';
		const id = await hangUp();
		await n8n.rest.post(`/executions/${id}/stop`, {});
		await n8n.rest.waitForExecution(id);
		expect(await outputsOf(combined())).toMatchObject([{ bytesSent: SIZE - CUT, resumes: 1 }]);
		expectArrived(service, file);

		service.state.uploads = [];
		await hangUp();
		await n8n.kill();
		const uploadId = service.state.uploads[0]?.id ?? '';
		expect(n8n.log()).toContain(uploadId);
		await n8n.start();
		const resume = combined({ operation: 'resume', uploadId });
		expect(await outputsOf(resume)).toMatchObject([{ bytesSent: SIZE - CUT }]);
		expectArrived(service, file);
	}, 120_000);

	it('uploads 210 MB in less than 64 MiB of memory, over a connection that stalls once', async () => {
		const file = writeTestFile(n8n.filesFolder, 'large.mp4', 210 * SIZE);
		const options = { returnVideo: false, idleTimeoutSeconds: 5 };
		// The first upload of a process grows the heap of n8n once and for all.
		await outputsOf(uploadOf(file, { options }));
		service.state.uploads = [];
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 30 * SIZE });
		let executionId = '';
		const growth = await n8n.memoryGrowth(async () => {
			executionId = await n8n.rest.runWorkflow(uploadOf(file, { options }));
			await service.until(() => service.state.uploads[0]?.complete === true);
		});
		expectSuccess(await n8n.rest.waitForExecution(executionId));
		expectArrived(service, file);
		expect(growth).toBeLessThan(64 * 2 ** 20);
	}, 300_000);

	it.each([
		['continueRegularOutput', 0],
		['continueErrorOutput', 1],
	] as const)('passes on with %s what Resume needs to finish a cut upload', async (onError, output) => {
		const file = writeTestFile(n8n.filesFolder, `error-item-${onError}.mp4`, SIZE);
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: CUT });
		const failed = '={{ $json.error.uploadId }}';
		const resume = nodes.upload(credential, { operation: 'resume', uploadId: failed });
		const workflow = nodes.workflowOf('Error item', [
			nodes.manualTrigger(),
			nodes.readFiles(file.path),
			{ ...nodes.upload(credential), onError },
			{ ...resume, name: 'Resume' },
		]);
		if (output === 1) workflow.connections[nodes.UPLOAD]?.main?.unshift([]);
		const execution = await n8n.rest.runToSuccess(workflow);

		const uploadId = expectArrived(service, file);
		expect(outputOf(execution, nodes.UPLOAD, output)).toMatchObject([
			{
				json: { fileName: file.name, error: { uploadId, offset: CUT, size: SIZE } },
				binary: { data: { fileName: file.name } },
				pairedItem: { item: 0 },
			},
		]);
	});

	it('ends an upload whose stored file is deleted during a wait, or before it resumes after a cut, with an error that says so', async () => {
		const file = writeTestFile(n8n.filesFolder, 'deleted.mp4', SIZE);
		const deleteStored = () => {
			// Of n8n 2.x and of 1.x.
			for (const folder of ['storage', 'binaryData'])
				rmSync(join(n8n.userFolder, '.n8n', folder), { recursive: true, force: true });
		};

		// Another program holds the slot.
		const held = newUpload(service.credential.applicationId, 'other.mp4', 1, null);
		service.state.uploads.push(held);
		const waiting = await n8n.rest.runWorkflow(uploadOf(file));
		await service.until(() => service.requestsOf('uploadCreate').some(({ status }) => status === 429));
		deleteStored();
		held.complete = true;
		expect(errorOf(await n8n.rest.waitForExecution(waiting))).toContain('n8n no longer has the file');
		// The file was opened less than a minute ago: U10 of docs/promises.md.
		expect(service.state.uploads.map(({ offset }) => offset)).toEqual([0, 0]);

		service.state.uploads = [];
		service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: CUT });
		const interrupted = await n8n.rest.runWorkflow(uploadOf(file));
		await service.until(() => service.state.uploads[0]?.offset === CUT);
		deleteStored();
		const error = errorOf(await n8n.rest.waitForExecution(interrupted));
		const uploadId = service.state.uploads[0]?.id ?? '';
		expect(error).toContain('n8n no longer has the file');
		expect(error).toContain(`Upload ${uploadId} has ${CUT} of ${SIZE} bytes`);
	});

	it('sends each file of one name once, with its title, in loops of two executions that are tried again', async () => {
		service.injectFault({ on: 'uploadCreate', kind: 'status', status: 400, skip: 2 });
		service.injectFault({ on: 'uploadPatch', kind: 'status', status: 503, afterBytes: 3 });
		service.injectFault({ on: 'videoEdit', kind: 'status', status: 400 });
		const titles = ['Lecture 1', 'Lecture 2', 'Lecture 3', 'Lecture 4'];
		const items = titles.map((title) => {
			const data = mp4Of(title).toString('base64');
			return { json: { title }, binary: { data: { mimeType: 'video/mp4', fileName: 'Film.mp4', data } } };
		});
		const tried = { retryOnFail: true, maxTries: 5, waitBetweenTries: 1 };
		const looped = { ...nodes.upload(credential, { title: '={{ $json.title }}' }), ...tried };
		const loop = nodes.node('Loop', 'n8n-nodes-base.splitInBatches', 3, { batchSize: 1 });
		const workflow = nodes.workflowOf('Loop', [nodes.manualTrigger(), loop, looped, loop]);
		workflow.nodes.pop();
		// The second output of Loop Over Items is the loop.
		workflow.connections[loop.name]?.main?.unshift([]);
		const loops = [items.slice(0, 2), items.slice(2)].map((half) => ({
			...workflow,
			pinData: { [nodes.MANUAL_TRIGGER]: half },
		}));
		const executions = await Promise.all(loops.map(async (loop) => await n8n.rest.runToSuccess(loop)));

		const { uploads, videos } = service.state;
		expect(uploads).toHaveLength(titles.length);
		// Each 400 costs a try, the 503 none.
		const starts = n8n.log().split('Upload of "Film.mp4" starts').length - 1;
		expect(starts).toBe(titles.length + 2);
		const output = executions.flatMap((execution) => outputOf(execution, nodes.UPLOAD));
		expect(output.map(({ json }) => json)).toMatchObject(titles.map((name) => ({ video: { name } })));
		expect(videos.toSorted((one, other) => one.name.localeCompare(other.name))).toMatchObject(
			titles.map((name) => ({ name, sha256: sha256(mp4Of(name)) })),
		);
	}, 60_000);

	async function outputsOf(workflow: WorkflowJson): Promise<IDataObject[]> {
		return outputOf(await n8n.rest.runToSuccess(workflow), nodes.UPLOAD).map(({ json }) => json);
	}

	function uploadOf({ path }: TestFile, parameters: IDataObject = {}): WorkflowJson {
		const chain = [nodes.manualTrigger(), nodes.readFiles(path), nodes.upload(credential, parameters)];
		return nodes.workflowOf('Upload', chain);
	}
});
