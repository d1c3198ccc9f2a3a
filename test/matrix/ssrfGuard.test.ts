import type { RunningService } from '../fakeService';
import { errorOf } from '../n8n/execution';
import { expectArrived, writeTestFile } from '../n8n/files';
import type { RunningN8n } from '../n8n/instance';
import { n8n2 } from '../n8n/releases';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, runToSuccess, startTimeout } from './place';

const blocked = /blocked because it resolves to a restricted IP address/;

/** n8n's guard against requests to internal addresses, which n8n 1.x does not have. 127.0.0.2 is on its list of exceptions. */
inEachRelease(
	(place) => {
		let internal: RunningService;
		let allowed: RunningService;
		let n8n: RunningN8n;

		beforeAll(async () => {
			internal = await place.service();
			allowed = await place.service({ host: '127.0.0.2' });
			n8n = await place.n8n({
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.2/32',
			});
		}, startTimeout);

		it('uploads through a cut to a service at an allowed address', async () => {
			const file = writeTestFile(n8n.filesFolder, 'allowed.mp4', 40_000_000);
			allowed.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 22_000_000 });
			const node = nodes.upload(await credentialFor(n8n, allowed));
			await runToSuccess(
				n8n,
				nodes.workflowOf('Allowed', [nodes.manualTrigger(), nodes.readFiles(file.path), node]),
			);
			expectArrived(allowed.state.uploads, file);
		}, 120_000);

		it('names what to do about a service at a blocked address, and sends nothing', async () => {
			const execution = await n8n.rest.runToEnd(nodes.countFolders(await credentialFor(n8n, internal)));
			expect(errorOf(execution)).toMatch(blocked);
			expect(errorOf(execution)).toMatch(/ask your n8n administrator to allowlist/);
			expect(internal.requests).toEqual([]);
		});

		it('creates no upload for a URL at a blocked address', async () => {
			const { length } = allowed.state.uploads;
			const source = { source: 'url', url: `${internal.baseUrl}/video.mp4` };
			const node = nodes.upload(await credentialFor(n8n, allowed), source);
			const workflow = nodes.workflowOf('Blocked URL', [nodes.manualTrigger(), node]);
			expect(errorOf(await n8n.rest.runToEnd(workflow))).toMatch(blocked);
			expect(internal.requests).toEqual([]);
			expect(allowed.state.uploads).toHaveLength(length);
		});
	},
	[n8n2],
);
