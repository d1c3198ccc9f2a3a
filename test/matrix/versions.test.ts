import type { RunningService } from '../fakeService';
import { errorOf, outputOf } from '../n8n/execution';
import { expectArrived, writeTestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import type { StoredCredential } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, expectOneExecution, inEachRelease, startTimeout } from './place';

const MB = 1_000_000;
const RESUME = 'Resume';

inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	let credential: StoredCredential;

	beforeAll(async () => {
		service = await place.service();
		n8n = await place.n8n({ N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' });
		credential = await credentialFor(n8n, service);
	}, startTimeout);
	beforeEach(() => {
		service.clearFaults();
		service.state.uploads = [];
		service.requests.length = 0;
	});

	it.each([401, 403] as const)(
		'uploads through a cut and tokens that are rejected with %i, and sends no byte twice',
		async (status) => {
			const file = writeTestFile(n8n.filesFolder, `faults-${status}.mp4`, 40 * MB);
			service.settings.expiredTokenStatus = status;
			service.injectFault({ on: 'uploadCreate', kind: 'expireToken' });
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 22 * MB });
			service.injectFault({ on: 'uploadPatch', kind: 'expireToken', afterBytes: 9 * MB });
			await n8n.rest.runToSuccess(uploadOf(file.path));
			expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(40 * MB);
		},
		120_000,
	);

	it('uploads 210 MB in less than 64 MiB of memory, over a connection that stalls once', async () => {
		const file = writeTestFile(n8n.filesFolder, 'large.mp4', 210 * MB);
		// The first upload of a process grows the heap of n8n once and for all.
		await n8n.rest.runToSuccess(uploadOf(file.path));
		service.state.uploads = [];
		service.injectFault({ on: 'uploadPatch', kind: 'hang', afterBytes: 30 * MB });
		const workflow = await n8n.rest.createWorkflow(uploadOf(file.path));
		let executionId = '';
		const growth = await n8n.memoryGrowth(async () => {
			executionId = await n8n.rest.runWorkflow(workflow);
			await service.until(() => service.state.uploads[0]?.complete === true);
		});
		expect(errorOf(await n8n.rest.waitForExecution(executionId))).toBe('');
		expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(210 * MB);
		expect(growth).toBeLessThan(64 * 2 ** 20);
	}, 300_000);

	it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'passes on with %s what Upload → Resume needs to finish an interrupted upload',
		async (onError) => {
			const file = writeTestFile(n8n.filesFolder, `error-item-${onError}.mp4`, MB);
			service.injectFault({ on: 'uploadPatch', kind: 'status', status: 400, afterBytes: 600_000 });
			const resume = nodes.upload(credential, {
				...{ operation: 'resume', uploadId: '={{ $json.error.uploadId }}' },
				options: { returnVideo: false },
			});
			const workflow = uploadOf(file.path, { onError });
			workflow.nodes.push({ ...resume, name: RESUME });
			const wire = nodes.to(RESUME).main?.[0] ?? null;
			workflow.connections[nodes.UPLOAD] = { main: onError === 'continueErrorOutput' ? [[], wire] : [wire] };
			const execution = await n8n.rest.runToSuccess(workflow);

			const { id, bytesReceived } = expectArrived(service.state.uploads, file);
			expect(bytesReceived).toBe(MB);
			const output = onError === 'continueErrorOutput' ? 1 : 0;
			expect(outputOf(execution, nodes.UPLOAD, output)).toMatchObject([
				{ json: { error: { uploadId: id, offset: 600_000, size: MB } }, pairedItem: { item: 0 } },
			]);
			expect(outputOf(execution, RESUME)).toMatchObject([{ json: { uploadId: id } }]);
		},
	);

	it('starts one execution for one change of an event', async () => {
		await expectOneExecution(n8n, service, credential);
	}, 180_000);

	function uploadOf(path: string, more: object = {}) {
		const options = { returnVideo: false, idleTimeoutSeconds: 5 };
		const upload = { ...nodes.upload(credential, { options }), ...more };
		return nodes.workflowOf(path, [nodes.manualTrigger(), nodes.readFiles(path), upload]);
	}
});
