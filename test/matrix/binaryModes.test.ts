import { expectArrived, writeTestFile } from '../n8n/files';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, runToSuccess, startTimeout } from './place';

const fileBytes = 32 * 2 ** 20;

inEachRelease((place) => {
	it.each(['default', 'filesystem', 'database'])(
		'uploads a file through a cut from where n8n keeps binary data in the mode %s',
		async (mode) => {
			const service = await place.service();
			const n8n = await place.n8n({
				N8N_DEFAULT_BINARY_DATA_MODE: mode,
				// n8n 1.x offers the database only when configured.
				N8N_AVAILABLE_BINARY_DATA_MODES: 'filesystem,database',
			});
			const credential = await credentialFor(n8n, service);
			const file = writeTestFile(n8n.filesFolder, 'binary-mode.mp4', fileBytes);
			service.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 20_000_000 });
			const read = nodes.readFiles(file.path);
			await runToSuccess(
				n8n,
				nodes.workflowOf('Binary mode', [nodes.manualTrigger(), read, nodes.upload(credential)]),
			);
			expect(expectArrived(service.state.uploads, file).bytesReceived).toBe(fileBytes);
		},
		startTimeout,
	);
});
