import { strict as assert } from 'node:assert';

import { errorOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { n8n1 } from '../n8n/releases';
import type { RunningService } from '../fakeService';
import type { Checklist } from './checklist';
import { tls } from './certificate';
import { inEachRelease, type MatrixSetup, type Place } from './setup';
import { credentialFor, messageOf, runToSuccess } from './subject';
import * as nodes from '../n8n/workflow';

const elsewhere = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
const here = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com, 127.0.0.1' };
const nowhere = { allowedHttpRequestDomains: 'none' };

/** What hosts forbid: unknown certificates, other domains than those of the credential, environment variables. */
export async function checkLimits(checklist: Checklist, setup: MatrixSetup): Promise<void> {
	await inEachRelease(checklist, setup, checkRelease);
}

async function checkRelease(place: Place): Promise<void> {
	const { release, row } = place;
	const service = await place.service();
	const other = await place.service();
	const secure = await place.service({ tls });
	const n8n = await place.n8n({ N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true' });
	await row('certificate that n8n does not know', async () => await namesCertificate(n8n, secure));
	await row('credential limited to domains, this node', async () => {
		await runToSuccess(n8n, nodes.countFolders(await credentialFor(n8n, service, here)));
		const refused = await n8n.rest.runToEnd(nodes.countFolders(await credentialFor(n8n, service, elsewhere)));
		// n8n 1.x keeps the HTTP Request node alone to the domains.
		if (release === n8n1) assert.equal(refused.status, 'success', errorOf(refused));
		else assert.match(errorOf(refused), /^Domain not allowed: .*127\.0\.0\.1.*api\.example\.com/);
		return `allowed: works; not allowed: ${refused.status === 'success' ? 'works' : `"${messageOf(refused)}"`}`;
	});
	await row('credential limited to domains, HTTP Request', async () => {
		await runToSuccess(n8n, nodes.requestFolders(await credentialFor(n8n, service, here), service.baseUrl));
		const refused = [elsewhere, nowhere].map(async (limit) =>
			n8n.rest.runToEnd(nodes.requestFolders(await credentialFor(n8n, service, limit), service.baseUrl)),
		);
		const said = (await Promise.all(refused)).map((execution) => messageOf(execution));
		const [notAllowed = '', none = ''] = said;
		// n8n 1.x keeps to the list with generic credentials alone; None it knows for all.
		if (release === n8n1) assert.equal(notAllowed, '');
		else assert.match(notAllowed, /^Domain not allowed: .*127\.0\.0\.1.*api\.example\.com/);
		assert.match(none, /configured to prevent use within an HTTP Request/);
		return `allowed: works; not allowed: ${notAllowed === '' ? 'works' : `"${notAllowed}"`}; None: "${none}"`;
	});
	await row('credential at another host, HTTP Request', async () => {
		const before = service.requests.length;
		const refused = await n8n.rest.runToEnd(
			nodes.requestFolders(await credentialFor(n8n, other), service.baseUrl),
		);
		assert.match(
			errorOf(refused),
			/credential is for .* and is not sent to .*: use an address of the service/,
		);
		assert.equal(service.requests.length, before, 'Requests to another host than that of the credential');
		return `"${messageOf(refused)}"`;
	});
	await row('edited credential', async () => {
		const credential = await credentialFor(n8n, service);
		await runToSuccess(n8n, nodes.countFolders(credential));
		const { length } = service.requests;
		const oldToken = service.requests.at(-1)?.headers.authorization;
		const tested = await n8n.rest.editCredential(credential, { password: 'wrong' });
		assert.match(tested?.message ?? '', /Invalid email or password/);
		for (const workflow of [
			nodes.countFolders(credential),
			nodes.requestFolders(credential, service.baseUrl),
		])
			assert.match(errorOf(await n8n.rest.runToEnd(workflow)), /Invalid email or password/);
		const sent = service.requests.slice(length).map(({ headers }) => headers.authorization);
		assert.ok(!sent.includes(oldToken), 'The old token was sent');
		return 'the old token is not sent';
	});
	await row('N8N_BLOCK_ENV_ACCESS_IN_NODE', async () => {
		const credential = await credentialFor(n8n, service);
		await runToSuccess(n8n, nodes.countFolders(credential));
		const name = '={{ $env.HOME }}';
		const create = nodes.videoHosting('Create Folder', credential, {
			...{ resource: 'folder', operation: 'create', name },
		});
		const refused = await n8n.rest.runToEnd(nodes.workflowOf('Environment', [nodes.manualTrigger(), create]));
		assert.match(errorOf(refused), /access to env vars denied/);
		assert.equal(service.state.folders.length, 0, 'A folder was created');
		return `works; $env: "${messageOf(refused)}", nothing sent`;
	});
}

async function namesCertificate(n8n: RunningN8n, secure: RunningService): Promise<string> {
	const expected = /self-signed TLS certificate[^]*NODE_EXTRA_CA_CERTS/;
	const credential = await credentialFor(n8n, secure);
	const tested = await n8n.rest.testCredential(credential, secure.credential);
	assert.equal(tested.status, 'Error');
	assert.match(tested.message, expected);
	const execution = await n8n.rest.runToEnd(nodes.countFolders(credential));
	assert.match(errorOf(execution), expected, 'Execution');
	assert.equal(secure.requests.length, 0, 'Requests over a connection that was not trusted');
	return `"${messageOf(execution)}"`;
}
