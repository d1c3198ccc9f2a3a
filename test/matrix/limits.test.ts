import type { RunningService } from '../fakeService';
import { errorOf } from '../n8n/execution';
import type { RunningN8n } from '../n8n/instance';
import { n8n1 } from '../n8n/releases';
import type { WorkflowJson } from '../n8n/rest';
import * as nodes from '../n8n/workflow';
import { credentialFor, inEachRelease, runToSuccess, startTimeout, tls } from './place';

const elsewhere = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
const here = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com, 127.0.0.1' };
const nowhere = { allowedHttpRequestDomains: 'none' };
const notAllowed = /^Domain not allowed: .*127\.0\.0\.1.*api\.example\.com/;

/** What hosts forbid: unknown certificates, other domains than those of the credential, environment variables. */
inEachRelease((place) => {
	let service: RunningService;
	let n8n: RunningN8n;
	/** n8n 1.x keeps neither this node nor HTTP Request, with this credential, to a list of domains. */
	const expectedElsewhere = place.release === n8n1 ? /^$/ : notAllowed;
	const errorOfRun = async (workflow: WorkflowJson) => errorOf(await n8n.rest.runToEnd(workflow));

	beforeAll(async () => {
		service = await place.service();
		n8n = await place.n8n({ N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true' });
	}, startTimeout);

	it('explains a certificate that n8n does not know, and sends nothing', async () => {
		const secure = await place.service({ tls });
		const explained = /TLS certificate that n8n does not trust[^]*NODE_EXTRA_CA_CERTS/;
		const credential = await credentialFor(n8n, secure);
		const tested = await n8n.rest.testCredential(credential, secure.credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringMatching(explained) });
		expect(await errorOfRun(nodes.countFolders(credential))).toMatch(explained);
		expect(secure.requests).toEqual([]);
	});

	it('keeps to the domains that the credential is limited to', async () => {
		await runToSuccess(n8n, nodes.countFolders(await credentialFor(n8n, service, here)));
		const limited = nodes.countFolders(await credentialFor(n8n, service, elsewhere));
		expect(await errorOfRun(limited)).toMatch(expectedElsewhere);
	});

	it('keeps the HTTP Request node to the domains, and to the host of the credential', async () => {
		const request = async (limit: object) =>
			nodes.requestFolders(await credentialFor(n8n, service, limit), service.baseUrl);
		await runToSuccess(n8n, await request(here));
		expect(await errorOfRun(await request(elsewhere))).toMatch(expectedElsewhere);
		expect(await errorOfRun(await request(nowhere))).toMatch(
			/configured to prevent use within an HTTP Request/,
		);
		const { length } = service.requests;
		const other = await credentialFor(n8n, await place.service());
		expect(await errorOfRun(nodes.requestFolders(other, service.baseUrl))).toMatch(
			/credential is for .* and is not sent to .*: use an address of the service/,
		);
		expect(service.requests).toHaveLength(length);
	});

	it('does not send the old token after the password was edited', async () => {
		const credential = await credentialFor(n8n, service);
		await runToSuccess(n8n, nodes.countFolders(credential));
		const { length } = service.requests;
		const oldToken = service.requests.at(-1)?.headers.authorization;
		const tested = await n8n.rest.editCredential(credential, { password: 'wrong' });
		expect(tested?.message).toContain('Invalid email or password');
		for (const workflow of [
			nodes.countFolders(credential),
			nodes.requestFolders(credential, service.baseUrl),
		])
			expect(await errorOfRun(workflow)).toContain('Invalid email or password');
		const sent = service.requests.slice(length).map(({ headers }) => headers.authorization);
		expect(sent).not.toContain(oldToken);
	});

	it('works where n8n blocks environment variables, and sends nothing with one', async () => {
		const credential = await credentialFor(n8n, service);
		const create = { resource: 'folder', operation: 'create', name: '={{ $env.HOME }}' };
		const node = nodes.videoHosting('Create Folder', credential, create);
		const refused = await errorOfRun(nodes.workflowOf('Environment', [nodes.manualTrigger(), node]));
		expect(refused).toMatch(/access to env vars denied/);
		expect(service.state.folders).toEqual([]);
	});
});
