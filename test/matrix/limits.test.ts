import type { RunningService } from '../fakeService';
import type { RunningN8n } from '../n8n/instance';
import { n8n1, n8n2 } from '../n8n/releases';
import { errorOf, type WorkflowJson } from '../n8n/rest';
import { countFolders, manualTrigger, requestFolders, upload, workflowOf } from '../n8n/workflow';
import { credentialFor, inEachRelease, startTimeout, tls } from '../n8n/place';

const otherApplication = '7d0f3a52-3f36-4c1c-9a52-0d9d8c3b1e77';
const elsewhere = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com' };
const here = { allowedHttpRequestDomains: 'domains', allowedDomains: 'api.example.com, 127.0.0.1' };
const notAllowed = /^Domain not allowed: .*127\.0\.0\.1.*api\.example\.com/;

/** What hosts forbid: unknown certificates, internal addresses, domains that the credential excludes, environment variables. */
inEachRelease((place) => {
	let service: RunningService;
	/** Where the same email and password have an account, too. */
	let second: RunningService;
	let n8n: RunningN8n;
	/** n8n 1.x keeps neither this node nor HTTP Request, with this credential, to a list of domains. */
	const expectedElsewhere = place.release === n8n1 ? /^$/ : notAllowed;
	const tokensSentTo = ({ requests }: RunningService) =>
		requests.flatMap(({ headers }) => headers.authorization ?? []);
	const errorOfRun = async (workflow: WorkflowJson) => errorOf(await n8n.rest.runToEnd(workflow));

	beforeAll(async () => {
		service = await place.service({ otherApplicationIds: [otherApplication] });
		second = await place.service();
		n8n = await place.n8n({
			N8N_BLOCK_ENV_ACCESS_IN_NODE: 'true',
			N8N_SSRF_PROTECTION_ENABLED: 'true',
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		});
	}, startTimeout);

	it('explains a certificate that n8n does not know, and sends nothing', async () => {
		const secure = await place.service({ tls });
		const explained = /TLS certificate that n8n does not trust[^]*NODE_EXTRA_CA_CERTS/;
		const credential = await credentialFor(n8n, secure);
		const tested = await n8n.rest.testCredential(credential, secure.credential);
		expect(tested).toEqual({ status: 'Error', message: expect.stringMatching(explained) });
		expect(await errorOfRun(countFolders(credential))).toMatch(explained);
		expect(secure.requests).toEqual([]);
	});

	// n8n 1.x has no guard against requests to internal addresses.
	if (place.release === n8n2)
		it('says what to do about an internal address that n8n blocks, and creates no upload for it', async () => {
			const blocked = /blocked because it resolves to a restricted IP address/;
			const internal = await place.service({ host: '127.0.0.2' });
			const error = await errorOfRun(countFolders(await credentialFor(n8n, internal)));
			expect(error).toMatch(blocked);
			expect(error).toMatch(/ask your n8n administrator to allowlist/);
			const source = { source: 'url', url: `${internal.baseUrl}/video.mp4` };
			const node = upload(await credentialFor(n8n, service), source);
			expect(await errorOfRun(workflowOf('Blocked URL', [manualTrigger(), node]))).toMatch(blocked);
			expect(internal.requests).toEqual([]);
			expect(service.state.uploads).toEqual([]);
		});

	it('keeps this node and the HTTP Request node to the domains that the credential is limited to', async () => {
		const requestsWith = async (limit: object) => {
			const credential = await credentialFor(n8n, service, limit);
			return [countFolders(credential), requestFolders(credential, service.baseUrl)];
		};
		for (const request of await requestsWith(here)) await n8n.rest.runToSuccess(request);
		for (const request of await requestsWith(elsewhere))
			expect(await errorOfRun(request)).toMatch(expectedElsewhere);
	});

	it.each([
		['password', () => ({ password: 'wrong' }), 'Invalid email or password'],
		['application', () => ({ applicationId: otherApplication }), ''],
		['Base URL', () => ({ baseUrl: second.baseUrl }), ''],
	])(
		'after another %s is saved, node, HTTP Request node and the test of the credential send the old token nowhere',
		async (_field, change, message) => {
			const { rest } = n8n;
			const credential = await credentialFor(n8n, service);
			for (const { requests } of [service, second]) requests.length = 0;
			await rest.runToSuccess(countFolders(credential));
			const [known] = tokensSentTo(service);
			expect(known).toMatch(/^Bearer \S+$/);
			service.requests.length = 0;

			const { baseUrl } = { ...service.credential, ...change() };
			const tested = await rest.editCredential(credential, change());
			const errors = [tested.status === 'OK' ? '' : tested.message];
			for (const workflow of [countFolders(credential), requestFolders(credential, baseUrl)])
				errors.push(await errorOfRun(workflow));

			const expected = message === '' ? '' : expect.stringContaining(message);
			expect(errors).toEqual([expected, expected, expected]);
			const sent = [service, second].flatMap(tokensSentTo);
			expect(sent).not.toContain(known);
			expect(sent.length > 0).toBe(message === '');
		},
	);
});
