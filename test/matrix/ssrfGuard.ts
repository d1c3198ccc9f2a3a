import { strict as assert } from 'node:assert';

import { errorOf } from '../n8n/execution';
import { n8n2 } from '../n8n/releases';
import type { Checklist } from './checklist';
import { requireArrived, writeTestFile } from './files';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, messageOf, runToSuccess } from './subject';
import * as nodes from '../n8n/workflow';

const blocked = /blocked because it resolves to a restricted IP address/;

/** n8n's guard against requests to internal addresses, which n8n 1.x does not have. 127.0.0.2 is on its list of exceptions. */
export async function checkSsrfGuard(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	const releases = setup.releases.filter((release) => release === n8n2);
	await inEachRelease(checklist, { ...setup, releases }, checkGuard);
}

async function checkGuard(place: Place): Promise<void> {
	const { row } = place;
	const internal = await place.service();
	const allowed = await place.service({ host: '127.0.0.2' });
	const n8n = await place.n8n({
		N8N_SSRF_PROTECTION_ENABLED: 'true',
		N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.2/32',
	});
	await row('service at an allowed address', async () => {
		const file = writeTestFile(n8n.filesFolder, 'allowed.mp4', 40_000_000);
		allowed.injectFault({ on: 'uploadPatch', kind: 'reset', afterBytes: 22_000_000 });
		const credential = await credentialFor(n8n, allowed);
		await runToSuccess(
			n8n,
			nodes.workflowOf('Allowed', [
				nodes.manualTrigger(),
				nodes.readFiles(file.path),
				nodes.upload(credential),
			]),
		);
		requireArrived(allowed.state.uploads, file);
		return 'upload with a cut identical';
	});
	await row('service at a blocked address', async () => {
		const execution = await n8n.rest.runToEnd(nodes.countFolders(await credentialFor(n8n, internal)));
		assert.match(errorOf(execution), blocked);
		assert.match(errorOf(execution), /ask your n8n administrator to allowlist/);
		assert.equal(internal.requests.length, 0, 'Requests to a blocked address');
		return `"${messageOf(execution)}"`;
	});
	await row('upload from a blocked URL', async () => {
		const credential = await credentialFor(n8n, allowed);
		const source = { source: 'url', url: `${internal.baseUrl}/video.mp4` };
		const execution = await n8n.rest.runToEnd(
			nodes.workflowOf('Blocked URL', [nodes.manualTrigger(), nodes.upload(credential, source)]),
		);
		assert.match(errorOf(execution), blocked);
		assert.equal(internal.requests.length, 0, 'Requests to a blocked address');
		assert.ok(
			allowed.state.uploads.every(({ complete }) => complete),
			'An upload was begun',
		);
		return `"${messageOf(execution)}"`;
	});
}
